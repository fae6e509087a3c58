import { setTimeout as delay } from 'node:timers/promises';
import type { Scope, SwarmNode } from '@gantry/test-nodes';
import type Docker from 'dockerode';

/** One update of the register. */
export interface Update {
  /** The value that it appended. */
  readonly value: string;
  /** Version of the service that it was an update of. */
  readonly version: number;
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
  /** When its outcome was known, in milliseconds since the epoch. */
  readonly at: number;
}

interface RegisterOptions {
  /** Of the service; two registers of a swarm have different ones. */
  readonly name?: string;
  /** Milliseconds that a client waits after each update. */
  readonly pause?: number;
}

interface Register {
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly Labels?: Readonly<Record<string, string>> };
}

/**
 * A service whose labels are a set that clients append to, all at once and each through a manager of its own. Every update
 * names the version that it read, so every value that was acknowledged has to stay, and no two can follow the same version.
 */
export class AppendRegister {
  readonly #updates: Update[] = [];
  readonly #running: Promise<void>[] = [];
  #isOver = false;

  private constructor(
    private readonly serviceId: string,
    private readonly pause: number,
  ) {}

  /** Creates the service, and begins to append through each of the managers. */
  static async start(
    t: Scope,
    managers: readonly [SwarmNode, ...SwarmNode[]],
    { name = 'register', pause = 50 }: RegisterOptions = {},
  ): Promise<AppendRegister> {
    const { id } = await managers[0].client.createService({
      Name: name,
      TaskTemplate: { ContainerSpec: { Image: 'busybox' } },
      Mode: { Replicated: { Replicas: 0 } },
    } as Docker.CreateServiceOptions);
    const register = new AppendRegister(id, pause);
    t.teardown(() => register.end());
    for (const [index, manager] of managers.entries()) register.#running.push(register.#append(manager, index));
    return register;
  }

  /** Every update so far, in the order in which their outcomes were known. */
  get updates(): readonly Update[] {
    return this.#updates;
  }

  get acknowledged(): number {
    return this.#updates.filter(({ outcome }) => outcome === 'acknowledged').length;
  }

  /** Updates that no manager refused or acknowledged: what became of them has to be looked up. */
  get unknown(): number {
    return this.#updates.filter(({ outcome }) => outcome === 'unknown').length;
  }

  /** Ends the updates. @returns what contradicts the history of the register, as `manager` shows it now. */
  async finish(manager: SwarmNode): Promise<readonly string[]> {
    await this.end();
    return contradictions(this.#updates, await this.values(manager));
  }

  /** The values that it has, as `manager` shows it now. */
  async values(manager: SwarmNode): Promise<readonly string[]> {
    const { Spec } = (await manager.client.getService(this.serviceId).inspect()) as Register;
    return Object.keys(Spec.Labels ?? {});
  }

  /** Deletes it from the swarm. */
  async remove(manager: SwarmNode): Promise<void> {
    await manager.client.getService(this.serviceId).remove();
  }

  /** Ends the updates. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #append({ client }: SwarmNode, writer: number): Promise<void> {
    const service = client.getService(this.serviceId);
    for (let count = 1; !this.#isOver; count++) {
      const read = (await service.inspect().catch(() => undefined)) as Register | undefined;
      if (read !== undefined) {
        const { Index: version } = read.Version;
        const value = `w${writer}-${count}`;
        const Labels = { ...read.Spec.Labels, [value]: '' };
        const outcome = await service
          .update({ ...read.Spec, Labels, version } as object)
          .then(() => 'acknowledged' as const, outcomeOf);
        this.#updates.push({ value, version, outcome, at: Date.now() });
      }
      await delay(this.pause);
    }
  }
}

/** A manager refuses an update of an old version. After every other error it may have happened. */
const outcomeOf = (error: Error): Update['outcome'] => (/out of sequence/.test(error.message) ? 'refused' : 'unknown');

/** @param values of the register at the end. */
export function contradictions(updates: readonly Omit<Update, 'at'>[], values: readonly string[]): readonly string[] {
  const found: string[] = [];
  const [kept, made] = [new Set(values), new Set(updates.map(({ value }) => value))];
  const versions = new Map<number, string>();
  for (const { outcome, value, version } of updates) {
    if (outcome === 'refused' && kept.has(value)) found.push(`${value} was refused, and is there`);
    if (outcome !== 'acknowledged') continue;
    if (!kept.has(value)) found.push(`${value} was acknowledged, and is lost`);
    const other = versions.get(version);
    if (other !== undefined) found.push(`${other} and ${value} both followed version ${version}`);
    versions.set(version, value);
  }
  for (const value of values) if (!made.has(value)) found.push(`${value} was never written`);
  return found;
}
