import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { type Account, validationFailed } from '@gantry/hosted-api/service';
import { type RepositoryRecord, repositoryCollection } from './records.js';

const nameForm = /^(?!\.{1,2}$)(?!.*\.git$)[A-Za-z0-9._-]{1,100}$/i;

type NewRepository = Pick<RepositoryRecord, 'owner' | 'name'> &
  Partial<Pick<RepositoryRecord, 'private' | 'description' | 'maintainers'>>;

/** The hosted repositories, by case-insensitive name. Reads are served from memory. */
@injectable()
export class Repositories {
  readonly #state: StateDriver;
  readonly #records: Collection<RepositoryRecord>;
  readonly #ids = new Map<string, number>();
  #last = 0;

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.#state = states.get();
    this.#records = this.#state.collection(repositoryCollection);
    for (const [, record] of this.#records.entries()) this.#index(record);
  }

  list(): readonly RepositoryRecord[] {
    return [...this.#records.entries()].map(([, record]) => record).sort((a, b) => a.id - b.id);
  }

  /** The name may end in `.git`, as clone URLs do. */
  find(owner: string, name: string): RepositoryRecord | undefined {
    const id = this.#ids.get(fullName(owner, name.replace(/\.git$/i, '')));
    return id === undefined ? undefined : this.withId(id);
  }

  withId(id: number): RepositoryRecord | undefined {
    return this.#records.get(String(id));
  }

  mayManage({ login }: Account, { owner, maintainers }: RepositoryRecord): boolean {
    const known = login.toLowerCase();
    return known === owner.toLowerCase() || maintainers.includes(known);
  }

  mayRead(account: Account, repository: RepositoryRecord): boolean {
    return !repository.private || this.mayManage(account, repository);
  }

  /** Durable when it resolves. @throws HostedError 422 for an invalid or existing name. */
  async create({ owner, name, private: isPrivate = true, description, maintainers = [] }: NewRepository) {
    for (const [field, value] of [['owner', owner] as const, ['name', name] as const]) {
      if (nameForm.test(value)) continue;
      const message = `${JSON.stringify(value)} is not a name such as "tools"`;
      throw validationFailed({ resource: 'Repository', field, code: 'invalid', message });
    }
    if (this.find(owner, name) !== undefined) {
      const message = `${owner}/${name} already exists`;
      throw validationFailed({ resource: 'Repository', field: 'name', code: 'already_exists', message });
    }
    this.#last += 1;
    const record: RepositoryRecord = {
      ...{ id: this.#last, owner, name, private: isPrivate },
      ...(description !== undefined && { description }),
      workflows: false,
      maintainers: maintainers.map((login) => login.toLowerCase()),
      createdAt: Date.now(),
    };
    // Reserves the name before the write: of two concurrent requests one fails.
    this.#index(record);
    try {
      await this.#records.put(String(record.id), record);
    } catch (error) {
      this.#ids.delete(fullName(owner, name));
      throw error;
    }
    return record;
  }

  /** Does nothing when the repository is gone. */
  change(id: number, changes: Partial<Pick<RepositoryRecord, 'workflows' | 'pushedAt'>>): Promise<void> {
    return this.#state.transaction((transaction) => {
      const record = transaction.get(this.#records, String(id));
      if (record !== undefined) transaction.put(this.#records, String(id), { ...record, ...changes });
    });
  }

  async delete({ id, owner, name }: RepositoryRecord): Promise<void> {
    await this.#records.delete(String(id));
    this.#ids.delete(fullName(owner, name));
  }

  #index({ id, owner, name }: RepositoryRecord): void {
    this.#last = Math.max(this.#last, id);
    this.#ids.set(fullName(owner, name), id);
  }
}

const fullName = (owner: string, name: string): string => `${owner}/${name}`.toLowerCase();
