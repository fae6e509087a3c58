import type { Collection, StateDriver, Transaction } from '@gantry/core/contracts';
import { internal, notFound } from '@gantry/core/errors';
import { chainIds, parseImageConfiguration } from './image-configuration.js';
import type { ImageRecord, LayerRecord, ReferenceRecord, StoredImage } from './image-record.js';
import { formatReference, tryParseReference } from './reference.js';

/** Images, layers and references: served from memory, changed by transactions of the state store. */
export class ImageStore {
  readonly #images = new Map<string, StoredImage>();
  readonly #references = new Map<string, string>();
  readonly #layers = new Map<string, LayerRecord>();
  #last: Promise<unknown> = Promise.resolve();
  readonly #collections: {
    readonly images: Collection<ImageRecord>;
    readonly layers: Collection<LayerRecord>;
    readonly references: Collection<ReferenceRecord>;
  };

  constructor(private readonly state: StateDriver) {
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
    for (const [, record] of this.#collections.images.entries()) this.#index(record);
    for (const [name, { imageId }] of this.#collections.references.entries()) {
      if (this.#images.has(imageId)) this.#references.set(name, imageId);
    }
  }

  /** False while records could not be read and were set aside. */
  get isWhole(): boolean {
    return Object.values(this.#collections).every((collection) => collection.quarantined().length === 0);
  }

  /**
   * Runs work that decides by what is in the store and then changes it, after what was asked for before: a name cannot
   * be given to an image that is on its way out.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
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
    const names: string[] = [];
    for (const [name, id] of this.#references) if (id === imageId) names.push(name);
    return names.sort();
  }

  references(): Iterable<readonly [name: string, imageId: string]> {
    return this.#references;
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

  /** Writes an image with new layers and references, all or nothing. */
  async add(change: {
    readonly image?: ImageRecord;
    readonly layers?: readonly LayerRecord[];
    readonly references?: Readonly<Record<string, string>>;
  }): Promise<void> {
    const { image, layers = [], references = {} } = change;
    await this.state.transaction((transaction) => {
      for (const layer of layers) transaction.put(this.#collections.layers, layer.chainId, layer);
      if (image !== undefined) transaction.put(this.#collections.images, image.id, image);
      for (const [name, imageId] of Object.entries(references)) {
        transaction.put(this.#collections.references, name, { imageId });
      }
    });
    for (const layer of layers) this.#layers.set(layer.chainId, layer);
    if (image !== undefined) this.#index(image);
    for (const [name, imageId] of Object.entries(references)) this.#references.set(name, imageId);
  }

  /**
   * Takes out images, layers and references, all or nothing. They are out of reach at once, so that nothing new is
   * built on them, and back again when the change cannot be written.
   */
  async remove(change: {
    readonly images?: readonly string[];
    readonly layers?: readonly string[];
    readonly references?: readonly string[];
  }): Promise<void> {
    const { images = [], layers = [], references = [] } = change;
    const { images: imageRecords, layers: layerRecords, references: referenceRecords } = this.#collections;
    const putBack = [
      takeOut(this.#references, references),
      takeOut(this.#images, images),
      takeOut(this.#layers, layers),
    ];
    try {
      await this.state.transaction((transaction: Transaction) => {
        for (const name of references) transaction.delete(referenceRecords, name);
        for (const id of images) transaction.delete(imageRecords, id);
        for (const chainId of layers) transaction.delete(layerRecords, chainId);
      });
    } catch (error) {
      for (const restore of putBack) restore();
      throw error;
    }
  }

  #index(record: ImageRecord): void {
    const configuration = parseImageConfiguration(record.configurationJson);
    this.#images.set(record.id, { record, configuration, chainIds: chainIds(configuration.rootfs.diff_ids) });
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

/** @returns puts back what is not there anew by then. */
function takeOut<V>(map: Map<string, V>, keys: readonly string[]): () => void {
  const taken = new Map<string, V>();
  for (const key of keys) {
    const value = map.get(key);
    if (value !== undefined) taken.set(key, value);
    map.delete(key);
  }
  return () => {
    for (const [key, value] of taken) if (!map.has(key)) map.set(key, value);
  };
}

function parseImageRecord(value: unknown): ImageRecord {
  const record = value as ImageRecord;
  parseImageConfiguration(record.configurationJson);
  return record;
}
