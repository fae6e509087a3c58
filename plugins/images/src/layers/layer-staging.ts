import { randomBytes } from 'node:crypto';
import { type AppliedLayer, type LayerSource, type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { abortable, type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notFound } from '@gantry/core/errors';
import { digestOf } from '../configuration/image-configuration.js';
import type { LayerRecord } from '../store/image-record.js';
import { ImageStore } from '../store/image-store.js';
import { LayerCollector } from './layer-collector.js';
import { LayersInUse } from './layers-in-use.js';

/** Most layers of an image: overlayfs mounts no more lower directories on each other. */
export const layerLimit = 500;

/** A layer of an image under construction: a stored one, or one to extract. */
export interface WantedLayer {
  /** Undefined where only the extraction yields it: an import, a legacy archive. */
  readonly diffId: string | undefined;
  readonly source: (() => LayerSource | Promise<LayerSource>) | undefined;
  /** Called from time to time with the number of bytes read from the source so far. */
  readonly onRead?: (total: number) => void;
  /** Called after an extraction; not for a layer that was stored already. */
  readonly onExtracted?: () => void;
}

/** Layers in use by an image under construction. They stay until `release`, even while no stored image needs them. */
interface StagedLayers {
  /** From the bottom up, stored and new. */
  readonly layers: readonly LayerRecord[];
  /** The layers without a record at the time of the call. */
  readonly fresh: readonly LayerRecord[];
  /** Ends the use. Layers that no image needs are removed. */
  release(): Promise<void>;
}

interface StageOptions {
  readonly signal?: AbortSignal;
  /** Called for each layer once it is stored. */
  readonly onLayer?: (index: number) => void;
}

/** Extracts layers into the storage driver, single-flight: concurrent images that need one layer extract it once. */
@injectable()
export class LayerStaging {
  readonly #storage: StorageDriver;

  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayersInUse) private readonly inUse: LayersInUse,
    @inject(LayerCollector) private readonly collector: LayerCollector,
    @inject(StorageDrivers.token) storages: DriverSet<StorageDriver>,
  ) {
    this.#storage = storages.get();
  }

  /** Extracts the missing layers, from the bottom up. On rejection no new layer is left. */
  async stage(wanted: readonly WantedLayer[], options: StageOptions = {}): Promise<StagedLayers> {
    if (wanted.length > layerLimit) {
      throw invalidArgument(`the image has ${wanted.length} layers, more than the ${layerLimit} that can be mounted`);
    }
    const layers: LayerRecord[] = [];
    const release = async (): Promise<void> => {
      for (const layer of layers.splice(0).reverse()) await this.#release(layer.chainId);
    };
    try {
      for (const [index, want] of wanted.entries()) {
        layers.push(await this.#obtain(want, layers.at(-1), options));
        options.onLayer?.(index);
      }
    } catch (error) {
      await release();
      throw error;
    }
    const { store } = this;
    return {
      layers: [...layers],
      get fresh() {
        return layers.filter(({ chainId }) => store.layer(chainId) === undefined);
      },
      release,
    };
  }

  async #obtain(
    want: WantedLayer,
    below: LayerRecord | undefined,
    options: { signal?: AbortSignal },
  ): Promise<LayerRecord> {
    const expected = want.diffId === undefined ? undefined : chainOf(below, want.diffId);
    while (this.#isStoredOrStaged(expected)) {
      const known = await this.#join(expected, options.signal);
      if (known !== undefined) return known;
    }
    options.signal?.throwIfAborted();
    if (want.source === undefined) {
      throw notFound(`layer ${want.diffId} is neither in the archive nor on this engine`);
    }
    const extraction = this.#extract(want, want.source, below, options);
    if (expected !== undefined) {
      this.inUse.staged.set(expected, extraction);
      extraction.catch(() => this.inUse.staged.delete(expected));
    }
    return this.#adopt(await extraction);
  }

  #isStoredOrStaged(chainId: string | undefined): chainId is string {
    return chainId !== undefined && (this.store.layer(chainId) !== undefined || this.inUse.staged.has(chainId));
  }

  /** Acquires a layer that is stored or staged. Resolves to undefined when its staging failed: the caller extracts it. */
  async #join(chainId: string, signal?: AbortSignal): Promise<LayerRecord | undefined> {
    this.inUse.acquire(chainId);
    let found = this.store.layer(chainId);
    try {
      found ??= await abortable(
        this.inUse.staged.get(chainId)?.catch(() => undefined),
        signal,
      );
    } finally {
      if (found === undefined) this.inUse.release(chainId);
    }
    return found;
  }

  /** Acquires an extracted layer, or the same layer where one was stored or staged before its chain ID was known. */
  async #adopt(layer: LayerRecord): Promise<LayerRecord> {
    while (this.#isStoredOrStaged(layer.chainId)) {
      const known = await this.#join(layer.chainId);
      if (known === undefined) continue;
      if (known.storageId !== layer.storageId) await this.#discard(layer.storageId);
      return known;
    }
    this.inUse.acquire(layer.chainId);
    this.inUse.staged.set(layer.chainId, Promise.resolve(layer));
    return layer;
  }

  async #extract(
    want: WantedLayer,
    source: NonNullable<WantedLayer['source']>,
    below: LayerRecord | undefined,
    options: { signal?: AbortSignal },
  ): Promise<LayerRecord> {
    const storageId = randomBytes(16).toString('hex');
    this.inUse.unrecorded.add(storageId);
    let applied: AppliedLayer;
    try {
      const request = {
        id: storageId,
        source: await source(),
        ...(below !== undefined && { parent: below.storageId }),
        ...(want.diffId !== undefined && { expectedDiffId: want.diffId }),
        ...(want.onRead !== undefined && { onRead: want.onRead }),
      };
      applied = await this.#storage.applyLayer(request, options);
    } catch (error) {
      this.inUse.unrecorded.delete(storageId);
      throw error;
    }
    want.onExtracted?.();
    crashPoint('image.layer.applied');
    return {
      chainId: chainOf(below, applied.diffId),
      diffId: applied.diffId,
      storageId,
      size: applied.size,
      tarSize: applied.tarSize,
      ...(below !== undefined && { parentChainId: below.chainId }),
    };
  }

  async #release(chainId: string): Promise<void> {
    const isLast = this.inUse.release(chainId);
    if (!isLast && this.store.layer(chainId) === undefined) return;
    const staging = this.inUse.staged.get(chainId);
    this.inUse.staged.delete(chainId);
    const staged = await staging?.catch(() => undefined);
    if (staged === undefined) return;
    if (this.store.layer(chainId)?.storageId === staged.storageId) this.inUse.unrecorded.delete(staged.storageId);
    else await this.#discard(staged.storageId);
  }

  /** Removes an extraction that no record names. */
  async #discard(storageId: string): Promise<void> {
    await this.collector.discard([storageId]);
    this.inUse.unrecorded.delete(storageId);
  }
}

const chainOf = (below: LayerRecord | undefined, diffId: string): string =>
  below === undefined ? diffId : digestOf(`${below.chainId} ${diffId}`);
