import { randomBytes } from 'node:crypto';
import { crashPoint, type LayerSource, type StorageDriver, type StoredLayer } from '@gantry/core/contracts';
import { abortable, type Logger } from '@gantry/core/driver';
import { invalidArgument, notFound } from '@gantry/core/errors';
import { digestOf } from './image-configuration.js';
import type { LayerRecord } from './image-record.js';
import { topDown } from './layer-order.js';
import type { ImageStore } from './store.js';

/** More cannot be mounted on each other (overlayfs). */
const layerLimit = 500;

/** A layer that an image to be made needs: one there is, or one to extract. */
export interface WantedLayer {
  /** Undefined where only extraction tells: an import, a legacy archive. */
  readonly diffId: string | undefined;
  readonly source: (() => LayerSource | Promise<LayerSource>) | undefined;
  /** Told now and then how many bytes of the source were read so far. */
  readonly onRead?: (total: number) => void;
  /** Told when it was extracted; not when it was here. */
  readonly onExtracted?: () => void;
}

/** Layers in use by an image under construction; they stay until `release`, also when no image names them yet. */
export interface StagedLayers {
  /** From the bottom up, old and new. */
  readonly layers: readonly LayerRecord[];
  /** Those the store does not have by now. */
  readonly fresh: readonly LayerRecord[];
  /** Ends the hold. Layers that no image took are removed. */
  release(): Promise<void>;
}

export interface StageOptions {
  readonly signal?: AbortSignal;
  /** Told of each layer when it is there. */
  readonly onLayer?: (index: number) => void;
}

/**
 * Brings layers into the storage driver and keeps count of who needs them. Two images that need one layer at the same
 * moment share one extraction.
 */
export class Layers {
  readonly #holds = new Map<string, number>();
  /** Layers extracted and not yet recorded with an image, by chain id. */
  readonly #staged = new Map<string, Promise<LayerRecord>>();
  /** Storage ids of layers that are being extracted or staged: no record names them yet. */
  readonly #underway = new Set<string>();

  constructor(
    private readonly store: ImageStore,
    private readonly storage: StorageDriver,
    private readonly log: Logger,
  ) {}

  /** Extracts what is missing, from the bottom up. On rejection nothing new is left. */
  async stage(wanted: readonly WantedLayer[], options: StageOptions = {}): Promise<StagedLayers> {
    if (wanted.length > layerLimit) {
      throw invalidArgument(`the image has ${wanted.length} layers, more than the ${layerLimit} that can be mounted`);
    }
    const layers: LayerRecord[] = [];
    const release = async (): Promise<void> => {
      for (const layer of layers.splice(0).reverse()) await this.#drop(layer.chainId);
    };
    try {
      for (const [index, want] of wanted.entries()) {
        layers.push(await this.#take(want, layers.at(-1), options));
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

  /** Keeps layers that are in the store from being removed. @returns ends it. */
  hold(chain: readonly string[]): () => void {
    for (const chainId of chain) this.#hold(chainId);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      for (const chainId of chain) this.#unhold(chainId);
    };
  }

  /** Chain ids, from the top down, that would be needed by nobody without the given images. */
  unneededWithout(images: ReadonlySet<string>): readonly string[] {
    const needed = new Set<string>();
    for (const image of this.store.images()) {
      if (images.has(image.record.id)) continue;
      for (const chainId of image.chainIds) needed.add(chainId);
    }
    const unneeded = [...this.store.layers()].filter(
      ({ chainId }) => !needed.has(chainId) && !this.#holds.has(chainId) && !this.#staged.has(chainId),
    );
    return topDown(unneeded);
  }

  /**
   * Removes from storage what the store has given up. A layer that a container still stands on stays; it is an orphan
   * that the next `collect` finds. Resolves to the ids of those.
   */
  async discard(storageIds: readonly string[]): Promise<readonly string[]> {
    const kept: string[] = [];
    for (const id of storageIds) {
      try {
        await this.storage.removeLayer(id);
      } catch (error) {
        kept.push(id);
        this.log.debug({ event: 'layer.kept', layer: id, reason: String(error) }, 'a container still needs the layer');
      }
    }
    return kept;
  }

  /**
   * Removes every layer that no image needs, and its record. Returns how many the storage driver was asked to remove.
   */
  async collect(): Promise<number> {
    if (!this.store.isWhole) return 0;
    const unneeded = this.unneededWithout(new Set());
    if (unneeded.length > 0) await this.store.remove({ layers: unneeded });
    const orphans = await this.orphans();
    const parents = new Map(orphans.map(({ id, parent }) => [id, parent]));
    const depth = (id: string): number => {
      const parent = parents.get(id);
      return parent === undefined ? 0 : 1 + depth(parent);
    };
    const deepestFirst = orphans.map(({ id }) => ({ id, depth: depth(id) })).sort((a, b) => b.depth - a.depth);
    await this.discard(deepestFirst.map(({ id }) => id));
    return orphans.length;
  }

  /**
   * Layers of the storage driver that no image needs, also those that a container still stands on. None while records
   * are set aside as unreadable: what they would name is still wanted.
   */
  async orphans(): Promise<readonly StoredLayer[]> {
    if (!this.store.isWhole) return [];
    const present = await this.storage.layers();
    const unneeded = new Set(this.unneededWithout(new Set()));
    const needed = [...this.store.layers()].filter(({ chainId }) => !unneeded.has(chainId));
    const known = new Set([...this.#underway, ...needed.map(({ storageId }) => storageId)]);
    return present.filter(({ id }) => !known.has(id));
  }

  async #take(
    want: WantedLayer,
    below: LayerRecord | undefined,
    options: { signal?: AbortSignal },
  ): Promise<LayerRecord> {
    const expected = want.diffId === undefined ? undefined : chainOf(below, want.diffId);
    while (this.#isThere(expected)) {
      const known = await this.#join(expected, options.signal);
      if (known !== undefined) return known;
    }
    options.signal?.throwIfAborted();
    if (want.source === undefined) {
      throw notFound(`layer ${want.diffId} is neither in the archive nor on this engine`);
    }
    const extraction = this.#extract(want, want.source, below, options);
    if (expected !== undefined) {
      this.#staged.set(expected, extraction);
      extraction.catch(() => this.#staged.delete(expected));
    }
    const layer = await extraction;
    return this.#settle(layer);
  }

  /** In the store, or on its way there. */
  #isThere(chainId: string | undefined): chainId is string {
    return chainId !== undefined && (this.store.layer(chainId) !== undefined || this.#staged.has(chainId));
  }

  /** Holds a layer that is there. Undefined when it was on its way and failed: that is no failure of ours. */
  async #join(chainId: string, signal?: AbortSignal): Promise<LayerRecord | undefined> {
    this.#hold(chainId);
    let found = this.store.layer(chainId);
    try {
      found ??= await abortable(
        this.#staged.get(chainId)?.catch(() => undefined),
        signal,
      );
    } finally {
      if (found === undefined) this.#unhold(chainId);
    }
    return found;
  }

  /** An extraction whose chain id was not known before may turn out to be a layer there is already. */
  async #settle(layer: LayerRecord): Promise<LayerRecord> {
    while (this.#isThere(layer.chainId)) {
      const known = await this.#join(layer.chainId);
      if (known === undefined) continue;
      if (known.storageId !== layer.storageId) await this.#forget(layer.storageId);
      return known;
    }
    this.#hold(layer.chainId);
    this.#staged.set(layer.chainId, Promise.resolve(layer));
    return layer;
  }

  async #extract(
    want: WantedLayer,
    source: NonNullable<WantedLayer['source']>,
    below: LayerRecord | undefined,
    options: { signal?: AbortSignal },
  ): Promise<LayerRecord> {
    const storageId = randomBytes(16).toString('hex');
    this.#underway.add(storageId);
    const applied = await this.storage
      .applyLayer(
        {
          id: storageId,
          source: await source(),
          ...(below !== undefined && { parent: below.storageId }),
          ...(want.diffId !== undefined && { expectedDiffId: want.diffId }),
          ...(want.onRead !== undefined && { onRead: want.onRead }),
        },
        options,
      )
      .catch((error: unknown) => {
        this.#underway.delete(storageId);
        throw error;
      });
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

  #hold(chainId: string): void {
    this.#holds.set(chainId, (this.#holds.get(chainId) ?? 0) + 1);
  }

  /** @returns whether nobody holds it any more. */
  #unhold(chainId: string): boolean {
    const left = (this.#holds.get(chainId) ?? 1) - 1;
    if (left > 0) this.#holds.set(chainId, left);
    else this.#holds.delete(chainId);
    return left <= 0;
  }

  async #drop(chainId: string): Promise<void> {
    const isLast = this.#unhold(chainId);
    if (!isLast && this.store.layer(chainId) === undefined) return;
    const staging = this.#staged.get(chainId);
    this.#staged.delete(chainId);
    const staged = await staging?.catch(() => undefined);
    if (staged === undefined) return;
    if (this.store.layer(chainId)?.storageId === staged.storageId) this.#underway.delete(staged.storageId);
    else await this.#forget(staged.storageId);
  }

  /** Removes an extraction that no record will name. */
  async #forget(storageId: string): Promise<void> {
    await this.discard([storageId]);
    this.#underway.delete(storageId);
  }
}

const chainOf = (below: LayerRecord | undefined, diffId: string): string =>
  below === undefined ? diffId : digestOf(`${below.chainId} ${diffId}`);
