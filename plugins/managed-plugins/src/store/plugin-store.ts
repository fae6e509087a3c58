import { type Collection, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, KeyedMutex } from '@gantry/core/driver';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import { parseReference } from '@gantry/images/service';
import { nameOf, type PluginRecord } from './plugin-record.js';

/** Records of installed plugins. Changes to one plugin are serialised. */
@injectable()
export class PluginStore {
  readonly #records: Collection<PluginRecord>;
  readonly #mutex = new KeyedMutex();

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.#records = states.get().collection<PluginRecord>({
      name: 'managed-plugins',
      version: 1,
      parse: (value) => value as PluginRecord,
    });
  }

  /** Sorted by name. */
  list(): readonly PluginRecord[] {
    return [...this.#records.entries()].map(([, record]) => record).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  /** Ids of records that could not be read. */
  unreadable(): readonly string[] {
    return this.#records.quarantined().map(({ key }) => key);
  }

  /**
   * By `name`, `name:tag`, `name@digest`, an id or a prefix of one. @throws EngineError `not-found`, `invalid-argument` for a
   * prefix of several.
   */
  get(reference: string): PluginRecord {
    const found = this.#find(reference);
    if (found === undefined) throw absent(reference);
    return found;
  }

  async put(record: PluginRecord): Promise<void> {
    await this.#records.put(record.id, record);
  }

  async delete(id: string): Promise<void> {
    await this.#records.delete(id);
  }

  /** Runs the installation of a plugin by its canonical name. Rejects `conflict` when it is installed already. */
  install<T>(reference: string, work: (name: string) => Promise<T>): Promise<T> {
    const name = canonicalName(reference);
    return this.#mutex.run(name, () => {
      if (this.#find(name) !== undefined) throw conflict(`plugin "${name}" already exists`);
      return work(name);
    });
  }

  /** Runs a change of an installed plugin. Rejects `not-found`, also when an earlier change removed it. */
  change<T>(reference: string, work: (record: PluginRecord) => Promise<T>): Promise<T> {
    const { id } = this.get(reference);
    return this.#mutex.run(id, () => {
      const record = this.#records.get(id);
      if (record === undefined) throw absent(reference);
      return work(record);
    });
  }

  #find(reference: string): PluginRecord | undefined {
    const byId = this.#records.get(reference);
    if (byId !== undefined) return byId;
    return this.#named(reference) ?? this.#withPrefix(reference);
  }

  #named(reference: string): PluginRecord | undefined {
    let name: string;
    try {
      name = canonicalName(reference);
    } catch {
      return undefined;
    }
    return this.list().find((record) => nameOf(record) === name);
  }

  #withPrefix(reference: string): PluginRecord | undefined {
    if (!/^[0-9a-f]{1,64}$/.test(reference)) return undefined;
    const [found, ...others] = this.list().filter(({ id }) => id.startsWith(reference));
    if (others.length > 0) throw invalidArgument(`multiple plugins found for id prefix "${reference}"`);
    return found;
  }
}

const absent = (reference: string) => notFound(`plugin "${reference}" not found`);

/** `repo:tag` or `repo@digest`. @throws EngineError `invalid-argument`. */
export function canonicalName(reference: string): string {
  try {
    const { digest, repository, tag = 'latest' } = parseReference(reference);
    return nameOf({ repository, tag: digest ?? tag });
  } catch (cause) {
    const reason = 'repository name must have at least one component';
    throw invalidArgument(
      `error parsing reference: ${JSON.stringify(reference)} is not a valid repository/tag: ${reason}`,
      { cause },
    );
  }
}
