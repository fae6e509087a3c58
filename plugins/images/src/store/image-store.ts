import { type Collection, type StateDriver, StateDrivers, type Transaction } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Mutex } from '@gantry/core/driver';
import { internal, notFound } from '@gantry/core/errors';
import { chainIds, parseImageConfiguration } from '../configuration/image-configuration.js';
import { formatReference, tryParseReference } from '../reference/image-reference.js';
import type { ImageRecord, LayerRecord, ReferenceRecord, StoredImage } from './image-record.js';
import { ReferenceIndex } from './reference-index.js';

/** Images, layers and references: read from memory, written in transactions of the state driver. */
@injectable()
export class ImageStore {
  readonly #images = new Map<string, StoredImage>();
  readonly #references = new ReferenceIndex();
  readonly #layers = new Map<string, LayerRecord>();
  readonly #changes = new Mutex();
  readonly #collections: {
    readonly images: Collection<ImageRecord>;
    readonly layers: Collection<LayerRecord>;
    readonly references: Collection<ReferenceRecord>;
  };

  readonly #state: StateDriver;

  constructor(@inject(StateDrivers.token) states: DriverSet<StateDriver>) {
    const state = states.get();
    this.#state = state;
    this.#collections = {
      images: state.collection<ImageRecord>({ name: 'images', version: 1, parse: parseImageRecord }),
      layers: state.collection<LayerRecord>({
        name: 'image-layers',
        version: 1,
        parse: (value) => value as LayerRecord,
      }),
      references: state.collection<ReferenceRecord>({
        name: 'image-references',
        version: 1,
        parse: (value) => value as ReferenceRecord,
      }),
    };
    for (const [chainId, layer] of this.#collections.layers.entries()) this.#layers.set(chainId, layer);
    for (const [id, record] of this.#collections.images.entries()) this.#images.set(id, parseRecord(record));
    for (const [name, { imageId }] of this.#collections.references.entries()) {
      if (this.#images.has(imageId)) this.#references.set(name, imageId);
    }
  }

  /** Whether every record could be read; unreadable records are quarantined. */
  get isComplete(): boolean {
    return Object.values(this.#collections).every((collection) => collection.quarantined().length === 0);
  }

  /**
   * Runs work that reads the store and then writes to it. Such work runs one at a time, in the order of the calls, so a
   * tag is never added to an image that a concurrent call removes.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(work);
  }

  get size(): number {
    return this.#images.size;
  }

  images(): Iterable<StoredImage> {
    return this.#images.values();
  }

  layers(): Iterable<LayerRecord> {
    return this.#layers.values();
  }

  layer(chainId: string): LayerRecord | undefined {
    return this.#layers.get(chainId);
  }

  byId(id: string): StoredImage | undefined {
    return this.#images.get(id);
  }

  byReference(name: string): string | undefined {
    return this.#references.get(name);
  }

  /** `repo:tag` and `repo@digest` names of an image, sorted. */
  referencesOf(imageId: string): readonly string[] {
    return this.#references.namesOf(imageId);
  }

  references(): Iterable<readonly [name: string, imageId: string]> {
    return this.#references.entries();
  }

  childrenOf(imageId: string): readonly StoredImage[] {
    return [...this.#images.values()].filter(({ record }) => record.parent === imageId);
  }

  /**
   * A name, an id with or without `sha256:`, or a unique prefix of one. A name wins over a prefix.
   * @throws EngineError `not-found`.
   */
  resolve(text: string): StoredImage {
    const found = this.#images.get(text.startsWith('sha256:') ? text : `sha256:${text}`) ?? this.#byName(text);
    if (found !== undefined) return found;
    const byPrefix = this.#byPrefix(text);
    if (byPrefix !== undefined) return byPrefix;
    const reference = tryParseReference(text);
    throw notFound(`No such image: ${reference === undefined ? text : formatReference(reference)}`);
  }

  /** Whether the text names the image by its id rather than by a reference. */
  isIdOf(text: string, imageId: string): boolean {
    const hex = text.replace(/^sha256:/, '');
    return this.#byName(text) === undefined && imageId.startsWith(`sha256:${hex}`);
  }

  /**
   * Writes an image with new layers and references in one transaction; nothing when all of it is there. Rejects
   * `invalid-argument` for a bad document.
   */
  async add(change: {
    readonly image?: ImageRecord;
    readonly layers?: readonly LayerRecord[];
    readonly references?: Readonly<Record<string, string>>;
  }): Promise<void> {
    const { image, layers = [] } = change;
    const references = Object.entries(change.references ?? {}).filter(
      ([name, id]) => this.#references.get(name) !== id,
    );
    const stored = image === undefined ? undefined : parseRecord(image);
    if (image === undefined && layers.length === 0 && references.length === 0) return;
    await this.#state.transaction((transaction) => {
      for (const layer of layers) transaction.put(this.#collections.layers, layer.chainId, layer);
      if (image !== undefined) transaction.put(this.#collections.images, image.id, image);
      for (const [name, imageId] of references) transaction.put(this.#collections.references, name, { imageId });
    });
    for (const layer of layers) this.#layers.set(layer.chainId, layer);
    if (stored !== undefined) this.#images.set(stored.record.id, stored);
    for (const [name, imageId] of references) this.#references.set(name, imageId);
  }

  /**
   * Removes images, layers and references in one transaction. They disappear from memory first, so that no concurrent
   * call starts to use them, and are restored when the transaction fails.
   */
  async remove(change: {
    readonly images?: readonly string[];
    readonly layers?: readonly string[];
    readonly references?: readonly string[];
  }): Promise<void> {
    const { images = [], layers = [], references = [] } = change;
    const { images: imageRecords, layers: layerRecords, references: referenceRecords } = this.#collections;
    const rollbacks = [
      removeEntries(this.#references, references),
      removeEntries(this.#images, images),
      removeEntries(this.#layers, layers),
    ];
    try {
      await this.#state.transaction((transaction: Transaction) => {
        for (const name of references) transaction.delete(referenceRecords, name);
        for (const id of images) transaction.delete(imageRecords, id);
        for (const chainId of layers) transaction.delete(layerRecords, chainId);
      });
    } catch (error) {
      for (const rollback of rollbacks) rollback();
      throw error;
    }
  }

  #byName(text: string): StoredImage | undefined {
    const reference = tryParseReference(text);
    const id = reference === undefined ? undefined : this.#references.get(formatReference(reference));
    return id === undefined ? undefined : this.#images.get(id);
  }

  #byPrefix(text: string): StoredImage | undefined {
    const hex = text.replace(/^sha256:/, '');
    if (!/^[0-9a-f]{1,64}$/.test(hex)) return undefined;
    const matches = [...this.#images.values()].filter(({ record }) => record.id.startsWith(`sha256:${hex}`));
    if (matches.length > 1) throw internal(`Multiple IDs found with provided prefix: ${text}`);
    return matches[0];
  }
}

interface Entries<V> {
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): unknown;
  delete(key: string): unknown;
}

/** @returns a rollback, which leaves keys alone that have a new value by then. */
function removeEntries<V>(map: Entries<V>, keys: readonly string[]): () => void {
  const removed = new Map<string, V>();
  for (const key of keys) {
    const value = map.get(key);
    if (value !== undefined) removed.set(key, value);
    map.delete(key);
  }
  return () => {
    for (const [key, value] of removed) if (!map.has(key)) map.set(key, value);
  };
}

function parseImageRecord(value: unknown): ImageRecord {
  return parseRecord(value as ImageRecord).record;
}

function parseRecord(record: ImageRecord): StoredImage {
  const configuration = parseImageConfiguration(record.configurationJson);
  return { record, configuration, chainIds: chainIds(configuration.rootfs.diff_ids) };
}
