import type { Collection, CollectionDefinition, StateDriver } from '@gantry/core/contracts';
import { conflict, internal, notFound } from '@gantry/core/errors';
import { Container } from '../container.js';
import type { ContainerRecord } from '../record.js';
import { PrefixIndex } from './prefix-index.js';

const records: CollectionDefinition<ContainerRecord> = {
  name: 'containers',
  version: 1,
  parse: (value) => {
    const record = value as ContainerRecord;
    for (const field of ['id', 'name', 'imageId', 'path'] as const) {
      if (typeof record?.[field] !== 'string') throw new TypeError(`the container's ${field} is missing`);
    }
    if (typeof record.state?.status !== 'string') throw new TypeError("the container's state is missing");
    return record;
  },
};

/** Anonymous volumes whose container is not there yet, or no more: only between two steps of a creation or removal. */
interface Loose {
  /** Names. */
  readonly volumes: readonly string[];
}

const looseVolumes: CollectionDefinition<Loose> = {
  name: 'container-loose-volumes',
  version: 1,
  parse: (value) => value as Loose,
};

/** All containers, in memory and on disk. Reads never wait. */
export class ContainerStore {
  readonly #state: StateDriver;
  readonly #records: Collection<ContainerRecord>;
  readonly #loose: Collection<Loose>;
  readonly #byId = new Map<string, Container>();
  /** Names in use, also by containers that are about to be. */
  readonly #idByName = new Map<string, string>();
  readonly #ids = new PrefixIndex();

  constructor(state: StateDriver) {
    this.#state = state;
    this.#records = state.collection(records);
    this.#loose = state.collection(looseVolumes);
    for (const [, record] of this.#records.entries()) this.#add(new Container(this.#records, record));
  }

  get size(): number {
    return this.#byId.size;
  }

  all(): IterableIterator<Container> {
    return this.#byId.values();
  }

  byId(id: string): Container | undefined {
    return this.#byId.get(id);
  }

  /**
   * Whether it is a container's id, be it of one whose record could not be read: that one cannot be used, but what it
   * has is nobody else's, and it may be read again by another engine.
   */
  has(id: string): boolean {
    return this.#byId.has(id) || this.setAside().includes(id);
  }

  /** Ids of containers whose records could not be read. */
  setAside(): readonly string[] {
    return this.#records.quarantined().map(({ key }) => key);
  }

  /**
   * By full id, name (with or without slash), then unique id prefix.
   * @throws EngineError `not-found` ("No such container: X"), `internal` for a prefix of several.
   */
  get(reference: string): Container {
    const name = reference.startsWith('/') ? reference.slice(1) : reference;
    const id = this.#byId.has(reference) ? reference : (this.#idOfName(name) ?? this.#idOfPrefix(reference));
    const container = id === undefined ? undefined : this.#byId.get(id);
    if (container === undefined) throw notFound(`No such container: ${reference}`);
    return container;
  }

  isNameTaken(name: string): boolean {
    return this.#idByName.has(name);
  }

  /**
   * Takes a name for a container that is about to be, or to be renamed.
   * @throws EngineError `conflict` when another container has it. @returns gives it back.
   */
  reserve(name: string, id: string): () => void {
    const holder = this.#idByName.get(name);
    if (holder !== undefined) {
      throw conflict(
        `Conflict. The container name "/${name}" is already in use by container "${holder}". ` +
          'You have to remove (or rename) that container to be able to reuse that name.',
      );
    }
    this.#idByName.set(name, id);
    return () => this.release(name, id);
  }

  /** Gives a name back that the container had. */
  release(name: string, id: string): void {
    if (this.#idByName.get(name) === id) this.#idByName.delete(name);
  }

  /** Notes volumes that a creation is about to make, so that the next daemon can take them back. */
  async intendVolumes(id: string, volumes: readonly string[]): Promise<void> {
    if (volumes.length > 0) await this.#loose.put(id, { volumes });
  }

  /** The volumes noted for a container are gone. */
  async forgetVolumes(id: string): Promise<void> {
    if (this.#loose.has(id)) await this.#loose.delete(id);
  }

  /** Volumes that an earlier daemon has not removed any more. */
  loose(): readonly (readonly [id: string, loose: Loose])[] {
    return [...this.#loose.entries()];
  }

  /** Stores a new container, whose name is reserved. Durable when it resolves. */
  async insert(record: ContainerRecord): Promise<Container> {
    await this.#state.transaction((transaction) => {
      transaction.put(this.#records, record.id, record);
      if (this.#loose.has(record.id)) transaction.delete(this.#loose, record.id);
    });
    return this.#add(new Container(this.#records, record));
  }

  /** Deletes a container; `volumes` are noted as loose in the same moment, to be removed by the caller. */
  async delete(container: Container, volumes: readonly string[]): Promise<void> {
    const { id, name } = container.record;
    await container.forget(() =>
      this.#state.transaction((transaction) => {
        transaction.delete(this.#records, id);
        if (volumes.length > 0) transaction.put(this.#loose, id, { volumes });
      }),
    );
    this.#byId.delete(id);
    this.#ids.delete(id);
    this.release(name, id);
  }

  #add(container: Container): Container {
    this.#byId.set(container.id, container);
    this.#ids.add(container.id);
    this.#idByName.set(container.record.name, container.id);
    return container;
  }

  #idOfName(name: string): string | undefined {
    const id = this.#idByName.get(name);
    return id !== undefined && this.#byId.has(id) ? id : undefined;
  }

  #idOfPrefix(prefix: string): string | undefined {
    if (!/^[0-9a-f]+$/.test(prefix)) return undefined;
    const id = this.#ids.find(prefix);
    if (id === 'ambiguous') throw internal(`Multiple IDs found with provided prefix: ${prefix}`);
    return id;
  }
}
