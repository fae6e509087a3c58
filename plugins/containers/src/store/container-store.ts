import { type Collection, type CollectionDefinition, type StateDriver, StateDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { conflict, internal, notFound } from '@gantry/core/errors';
import { Container } from '../container.js';
import type { ContainerLookup } from '../container-lookup.js';
import { imagesOf } from '../mounts/image-writables.js';
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

/** Anonymous volumes of a container that is being created, noted for the next daemon to remove. */
interface OrphanedVolumes {
  /** Names. */
  readonly volumes: readonly string[];
}

const orphanedVolumes: CollectionDefinition<OrphanedVolumes> = {
  name: 'container-loose-volumes',
  version: 1,
  parse: (value) => value as OrphanedVolumes,
};

/** All containers, in memory and on disk. Reads never wait. */
@injectable()
export class ContainerStore {
  readonly #state: StateDriver;
  readonly #records: Collection<ContainerRecord>;
  readonly #orphanedVolumes: Collection<OrphanedVolumes>;
  readonly #byId = new Map<string, Container>();
  /** Names in use, also by containers that are being created. */
  readonly #idByName = new Map<string, string>();
  readonly #ids = new PrefixIndex();
  readonly #byImage = new Map<string, Set<Container>>();

  /** The records of the containers, for code that only looks them up. */
  readonly lookup: ContainerLookup = { get: (reference) => this.get(reference).record };

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    this.#state = states.get();
    this.#records = this.#state.collection(records);
    this.#orphanedVolumes = this.#state.collection(orphanedVolumes);
    for (const [, record] of this.#records.entries()) this.#add(new Container(this.#records, record));
  }

  get size(): number {
    return this.#byId.size;
  }

  all(): IterableIterator<Container> {
    return this.#byId.values();
  }

  /** Containers that use an image: as their own, or mounted. */
  usingImage(imageId: string): Iterable<Container> {
    return this.#byImage.get(imageId) ?? [];
  }

  byId(id: string): Container | undefined {
    return this.#byId.get(id);
  }

  /**
   * Whether it is a container's id, also of one whose record could not be read: that one cannot be used, but another
   * engine may read it again, so its resources are not orphaned.
   */
  has(id: string): boolean {
    return this.#byId.has(id) || this.quarantined().includes(id);
  }

  /** Ids of containers whose records could not be read. */
  quarantined(): readonly string[] {
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
   * Reserves a name for a container that is being created or renamed.
   * @throws EngineError `conflict` when another container has it. @returns releases it again.
   */
  reserveName(name: string, id: string): () => void {
    const holder = this.#idByName.get(name);
    if (holder !== undefined) {
      throw conflict(
        `Conflict. The container name "/${name}" is already in use by container "${holder}". ` +
          'You have to remove (or rename) that container to be able to reuse that name.',
      );
    }
    this.#idByName.set(name, id);
    return () => this.releaseName(name, id);
  }

  /** Releases a name if the container has it. */
  releaseName(name: string, id: string): void {
    if (this.#idByName.get(name) === id) this.#idByName.delete(name);
  }

  /** Notes volumes that a create is about to make, so that the next daemon can remove them. */
  async intendVolumes(id: string, volumes: readonly string[]): Promise<void> {
    if (volumes.length > 0) await this.#orphanedVolumes.put(id, { volumes });
  }

  /** The volumes noted for a container are removed. */
  async forgetVolumes(id: string): Promise<void> {
    if (this.#orphanedVolumes.has(id)) await this.#orphanedVolumes.delete(id);
  }

  /** Volumes that an earlier daemon noted and did not remove. */
  orphanedVolumes(): readonly (readonly [id: string, orphaned: OrphanedVolumes])[] {
    return [...this.#orphanedVolumes.entries()];
  }

  /** Stores a new container, whose name is reserved. Durable when it resolves. */
  async insert(record: ContainerRecord): Promise<Container> {
    await this.#state.transaction((transaction) => {
      transaction.put(this.#records, record.id, record);
      if (this.#orphanedVolumes.has(record.id)) transaction.delete(this.#orphanedVolumes, record.id);
    });
    return this.#add(new Container(this.#records, record));
  }

  /**
   * From now on no one finds the container, and its name is free. Its record stays: in the state `removing` it is the intent
   * that the next daemon finishes.
   * @returns deletes the record, durably.
   */
  async forget(container: Container): Promise<() => Promise<void>> {
    const { id, name } = container.record;
    await container.markRemoved();
    this.#byId.delete(id);
    this.#ids.delete(id);
    for (const imageId of imagesOf(container.record)) {
      const users = this.#byImage.get(imageId);
      users?.delete(container);
      if (users?.size === 0) this.#byImage.delete(imageId);
    }
    this.releaseName(name, id);
    return () => this.#records.delete(id);
  }

  #add(container: Container): Container {
    this.#byId.set(container.id, container);
    this.#ids.add(container.id);
    for (const imageId of imagesOf(container.record)) {
      this.#byImage.set(imageId, (this.#byImage.get(imageId) ?? new Set()).add(container));
    }
    const { name, state } = container.record;
    // The name of one that was being removed may belong to a newer container.
    if (state.status !== 'removing' || !this.#idByName.has(name)) this.#idByName.set(name, container.id);
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
