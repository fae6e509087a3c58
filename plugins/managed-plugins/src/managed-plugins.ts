import { setTimeout as delay } from 'node:timers/promises';
import type { ArchiveDriver, Collection, StateDriver } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { KeyedMutex } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import type { EngineEvents } from '@gantry/core/plugin';
import { parseReference } from '@gantry/images/service';
import type { RegistryClient, RegistryTarget } from '@gantry/registry/service';
import { install } from './install.js';
import { type Privilege, privilegesOf } from './manifest/privileges.js';
import { nameOf, type PluginRecord, taskPrefix } from './record.js';
import { placeOf } from './run/place.js';
import { RunningPlugin, type RunParts } from './run/running-plugin.js';
import { sweep } from './sweep.js';

export interface ManagedPluginsParts extends RunParts {
  readonly state: StateDriver;
  readonly registry: RegistryClient;
  readonly archive: ArchiveDriver;
  readonly events: EngineEvents;
}

/** Installed plugins. Changes to one happen one after the other. */
export class ManagedPlugins {
  readonly #records: Collection<PluginRecord>;
  readonly #running = new Map<string, RunningPlugin>();
  readonly #serial = new KeyedMutex();

  constructor(private readonly parts: ManagedPluginsParts) {
    this.#records = parts.state.collection<PluginRecord>({
      name: 'managed-plugins',
      version: 1,
      parse: (value) => value as PluginRecord,
    });
  }

  /** By name. */
  list(): readonly PluginRecord[] {
    return [...this.#records.entries()].map(([, record]) => record).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  /** By `name`, `name:tag`, `name@digest` or id. @throws EngineError `not-found`. */
  get(reference: string): PluginRecord {
    const found = this.#find(reference);
    if (found === undefined) throw absent(reference);
    return found;
  }

  /** Installs. Resolves to what the plugin may do once enabled. Rejects `conflict` when it is there. */
  pull(target: RegistryTarget, signal: AbortSignal): Promise<readonly Privilege[]> {
    const name = canonical(target.reference);
    return this.#serial.run(name, async () => {
      if (this.#find(name) !== undefined) throw conflict(`plugin "${name}" already exists`);
      const record = await install(this.parts, { ...target, reference: name }, signal);
      crashPoint('plugin.pull.installed');
      await this.#records.put(record.id, record);
      crashPoint('plugin.pull.recorded');
      this.#publish('pull', record);
      return privilegesOf(record.manifest);
    });
  }

  /** Rejects `not-found`, `conflict` when it is enabled, and with the reason when it does not come up. */
  enable(reference: string): Promise<void> {
    return this.#change(reference, async (record) => {
      if (record.enabled) throw conflict(`plugin "${nameOf(record)}" is already enabled`);
      const running = new RunningPlugin(record, this.parts);
      this.#running.set(record.id, running);
      try {
        await running.begin();
        crashPoint('plugin.enable.running');
        await this.#records.put(record.id, { ...record, enabled: true });
      } catch (error) {
        this.#running.delete(record.id);
        await running.end();
        throw error;
      }
      this.#publish('enable', record);
    });
  }

  /** Rejects `not-found`, `conflict` when it is disabled, or in use without `force`. */
  disable(reference: string, force: boolean): Promise<void> {
    return this.#change(reference, (record) => this.#disable(record, force));
  }

  /** Rejects `not-found`, `conflict` when it is enabled without `force`. */
  remove(reference: string, force: boolean): Promise<void> {
    return this.#change(reference, async (record) => {
      if (record.enabled && !force) throw conflict(`plugin "${nameOf(record)}" is active`);
      if (record.enabled) await this.#disable(record, true);
      await this.#records.delete(record.id);
      crashPoint('plugin.remove.recorded');
      await this.parts.archive.removeTree(placeOf(this.parts.directories, record.id).directory);
      this.#publish('remove', record);
    });
  }

  /** Brings enabled plugins back, and takes away what a crash left. Waits for those that do not answer only so long. */
  async start(patience: number): Promise<void> {
    const unread = this.#records.quarantined().map(({ key }) => key);
    const abandoned = await sweep(this.parts, this.list(), unread);
    const enabled = this.list().filter((record) => record.enabled);
    const back = enabled.map((record) => {
      const running = new RunningPlugin(record, this.parts);
      this.#running.set(record.id, running);
      return running.comeBack(abandoned.get(record.id) ?? []);
    });
    const late = new AbortController();
    await Promise.race([Promise.all(back), delay(patience, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
  }

  /** Plugins go on running: containers use them. */
  stop(): void {
    for (const running of this.#running.values()) running.release();
  }

  /** A task has ended, of a plugin or not. */
  exited(taskId: string, exitCode: number): void {
    if (taskId.startsWith(taskPrefix)) this.#running.get(taskId.slice(taskPrefix.length))?.exited(exitCode);
  }

  async #disable(record: PluginRecord, force: boolean): Promise<void> {
    if (!record.enabled) throw conflict(`plugin "${nameOf(record)}" is already disabled`);
    const running = this.#running.get(record.id);
    const inUse = running?.inUse;
    if (inUse !== undefined && !force) throw conflict(`plugin "${nameOf(record)}" is in use: ${inUse}`);
    await this.#records.put(record.id, { ...record, enabled: false });
    crashPoint('plugin.disable.recorded');
    await running?.end();
    crashPoint('plugin.disable.ended');
    this.#running.delete(record.id);
    this.#publish('disable', record);
  }

  #find(reference: string): PluginRecord | undefined {
    const byId = this.#records.get(reference);
    if (byId !== undefined) return byId;
    let name: string;
    try {
      name = canonical(reference);
    } catch {
      return undefined;
    }
    return this.list().find((record) => nameOf(record) === name);
  }

  #change(reference: string, work: (record: PluginRecord) => Promise<void>): Promise<void> {
    const { id } = this.get(reference);
    return this.#serial.run(id, () => {
      const record = this.#records.get(id);
      // Removed by who was first.
      if (record === undefined) throw absent(reference);
      return work(record);
    });
  }

  #publish(action: string, record: PluginRecord): void {
    const name = nameOf(record);
    this.parts.events.publish({ type: 'plugin', action, actor: { id: record.id, attributes: { name } } });
  }
}

const absent = (reference: string) => notFound(`plugin "${reference}" not found`);

/** `repo:tag` or `repo@digest`. @throws EngineError `invalid-argument`. */
function canonical(reference: string): string {
  try {
    const { digest, repository, tag = 'latest' } = parseReference(reference);
    return nameOf({ repository, tag: digest ?? tag });
  } catch (cause) {
    const why = 'repository name must have at least one component';
    throw invalidArgument(
      `error parsing reference: ${JSON.stringify(reference)} is not a valid repository/tag: ${why}`,
      { cause },
    );
  }
}
