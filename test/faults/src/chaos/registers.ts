import { AppendRegister, contradictions, type Update } from '@gantry/host';
import { eventually, type Scope, type SwarmNode } from '@gantry/test-nodes';
import { lostUpdates } from './lost-updates.js';

interface Settled {
  readonly name: string;
  readonly register: AppendRegister;
  /** The values that it had after its round, and has to have from then on. */
  readonly values: readonly string[];
}

/** Enough that what a round takes from earlier ones is seen, and few beside the quota of the store. */
const mostSettled = 20;

/** Between two updates of a client, in milliseconds: registers stay small. */
const pause = 150;

/** In which the manager that is left may not have received what two others have acknowledged, in milliseconds. */
const longestLag = 5_000;

/** Registers of a swarm, one for each round: clients append to the last one, and the others stay as they are. */
export class Registers {
  readonly #settled: Settled[] = [];
  #current: { readonly name: string; readonly register: AppendRegister } | undefined;
  #count = 0;
  acknowledged = 0;
  unknown = 0;
  /** Acknowledged updates that were lost with the majority of the managers. */
  lost = 0;

  constructor(
    private readonly scope: Scope,
    private readonly managers: readonly [SwarmNode, ...SwarmNode[]],
  ) {}

  /** Begins a register. */
  async begin(): Promise<void> {
    this.#count += 1;
    const name = `register-${this.#count}`;
    const register = await AppendRegister.start(this.scope, this.managers, { name, pause });
    this.#current = { name, register };
  }

  /** Every update of the present register, or the last one. */
  get updates(): readonly Update[] {
    return this.#current?.register.updates ?? [];
  }

  /** Ends the updates without a look at what became of them. */
  async pause(): Promise<void> {
    await this.#current?.register.end();
  }

  /** Ends the register. @returns what contradicts its history, and what has changed of earlier ones. */
  async settle(): Promise<readonly string[]> {
    const values = await this.#end();
    return [...contradictions(this.updates, values), ...(await this.#changes(values))];
  }

  /** As `settle`, when all managers but one were lost at a time: then the newest updates may be missing. */
  async settleAfterLoss(at: number): Promise<readonly string[]> {
    const values = await this.#end();
    const { contradictions: found, lost } = lostUpdates(this.updates, values, at - longestLag);
    this.lost += lost;
    return [...found, ...(await this.#changes(values))];
  }

  async #end(): Promise<readonly string[]> {
    await this.pause();
    const register = this.#current?.register;
    if (register === undefined) throw new Error('there is no register');
    this.acknowledged += register.acknowledged;
    this.unknown += register.unknown;
    return valuesOf(register, this.managers);
  }

  async #changes(values: readonly string[]): Promise<readonly string[]> {
    const changes: string[] = [];
    for (const settled of this.#settled) {
      const now = new Set(await valuesOf(settled.register, this.managers));
      for (const value of settled.values) if (!now.delete(value)) changes.push(`${settled.name} has lost ${value}`);
      for (const value of now) changes.push(`${settled.name} has got ${value} after its end`);
    }
    if (this.#current !== undefined) this.#settled.push({ ...this.#current, values });
    if (this.#settled.length > mostSettled) await this.#settled.shift()?.register.remove(this.managers[0]);
    return changes;
  }
}

/** As the first manager shows them that has a leader. */
const valuesOf = (register: AppendRegister, managers: readonly SwarmNode[]): Promise<readonly string[]> =>
  eventually('the values of a register', async () => {
    for (const manager of managers) {
      const values = await register.values(manager).catch(() => undefined);
      if (values !== undefined) return values;
    }
    return undefined;
  });
