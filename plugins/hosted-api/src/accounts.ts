import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { validationFailed } from './hosted-error.js';
import { parseRecord } from './parse-record.js';

/** A user of the hosted API. */
export interface Account {
  /** Never reused. */
  readonly id: number;
  /** In the case it was created with; compared case-insensitively. */
  readonly login: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const loginForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The accounts of this service. Reads are look-ups in memory. */
@injectable()
export class Accounts {
  readonly #state: StateDriver;
  readonly #records: Collection<Account>;
  readonly #byId = new Map<number, Account>();

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.#state = states.get();
    this.#records = this.#state.collection<Account>({
      name: 'hosted-accounts',
      version: 1,
      parse: (value) => parseRecord<Account>(value, { id: 'number', login: 'string', createdAt: 'number' }),
    });
    for (const [, account] of this.#records.entries()) this.#byId.set(account.id, account);
  }

  find(login: string): Account | undefined {
    return this.#records.get(login.toLowerCase());
  }

  withId(id: number): Account | undefined {
    return this.#byId.get(id);
  }

  list(): readonly Account[] {
    return [...this.#byId.values()].sort((a, b) => a.id - b.id);
  }

  /** Returns the account with this login, created if absent. Durable when it resolves. @throws HostedError 422. */
  async ensure(login: string): Promise<Account> {
    if (!loginForm.test(login)) {
      const message = `${JSON.stringify(login)} is not a login such as "octavia": letters, digits, ".", "_" and "-"`;
      throw validationFailed({ resource: 'User', field: 'login', code: 'invalid', message });
    }
    const key = login.toLowerCase();
    const account = await this.#state.transaction((transaction) => {
      const known = transaction.get(this.#records, key);
      if (known !== undefined) return known;
      const created: Account = { id: this.#nextId(), login, createdAt: Date.now() };
      transaction.put(this.#records, key, created);
      return created;
    });
    const shown = this.#records.get(key) ?? account;
    this.#byId.set(shown.id, shown);
    return shown;
  }

  #last = 0;

  #nextId(): number {
    this.#last = Math.max(this.#last, ...this.#byId.keys()) + 1;
    return this.#last;
  }
}
