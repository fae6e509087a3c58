import { randomBytes } from 'node:crypto';
import { crashPoint, type LayerSource, type StorageDriver } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { digestOf } from './image-configuration.js';
import type { LayerRecord } from './image-record.js';
import type { ImageStore } from './store.js';

/** A layer that an image to be made needs: one there is, or one to extract. */
export interface WantedLayer {
  /** Undefined where only extraction tells: an import, a legacy archive. */
  readonly diffId: string | undefined;
  readonly source: (() => LayerSource | Promise<LayerSource>) | undefined;
}

/** Layers in use by an image under construction; they stay until `release`, also when no image names them yet. */
export interface StagedLayers {
  /** From the bottom up, old and new. */
  readonly layers: readonly LayerRecord[];
  /** Those the store does not have yet. */
  readonly fresh: readonly LayerRecord[];
  /** Ends the hold. Layers that no image took are removed. */
  release(): Promise<void>;
}

/**
 * Brings layers into the storage driver and keeps count of who needs them. Two images that need one layer at the same
 * moment share one extraction.
 */
export class Layers {
  readonly #holds = new Map<string, number>();
  /** Layers extracted and not yet recorded with an image, by chain id. */
  readonly #staged = new Map<string, Promise<LayerRecord>>();

  constructor(
    private readonly store: ImageStore,
    private readonly storage: StorageDriver,
    private readonly log: Logger,
  ) {}

  /** Extracts what is missing, from the bottom up. On rejection nothing new is left. */
  async stage(wanted: readonly WantedLayer[], options: { readonly signal?: AbortSignal } = {}): Promise<StagedLayers> {
    const layers: LayerRecord[] = [];
    const release = async (): Promise<void> => {
      for (const layer of layers.splice(0).reverse()) await this.#drop(layer.chainId);
    };
    try {
      for (const want of wanted) layers.push(await this.#take(want, layers.at(-1), options));
    } catch (error) {
      await release();
      throw error;
    }
    return {
      layers: [...layers],
      fresh: layers.filter(({ chainId }) => this.store.layer(chainId) === undefined),
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
   * that the next `collect` finds.
   */
  async discard(storageIds: readonly string[]): Promise<void> {
    for (const id of storageIds) {
      try {
        await this.storage.removeLayer(id);
      } catch (error) {
        this.log.debug({ event: 'layer.kept', layer: id, reason: String(error) }, 'a container still needs the layer');
      }
    }
  }

  /** Removes every layer of the storage driver that no record names. Returns how many. */
  async collect(): Promise<number> {
    const known = new Set([...this.store.layers()].map(({ storageId }) => storageId));
    for (const staged of this.#staged.values()) known.add((await staged.catch(() => undefined))?.storageId ?? '');
    const orphans = (await this.storage.layers()).filter(({ id }) => !known.has(id));
    const parents = new Map(orphans.map(({ id, parent }) => [id, parent]));
    const depth = (id: string): number => {
      const parent = parents.get(id);
      return parent === undefined ? 0 : 1 + depth(parent);
    };
    const deepestFirst = orphans.map(({ id }) => ({ id, depth: depth(id) })).sort((a, b) => b.depth - a.depth);
    await this.discard(deepestFirst.map(({ id }) => id));
    return orphans.length;
  }

  async #take(
    want: WantedLayer,
    below: LayerRecord | undefined,
    options: { signal?: AbortSignal },
  ): Promise<LayerRecord> {
    const expected = want.diffId === undefined ? undefined : chainOf(below, want.diffId);
    if (expected !== undefined) {
      const known = this.store.layer(expected);
      if (known !== undefined) {
        this.#hold(expected);
        return known;
      }
      const underway = this.#staged.get(expected);
      if (underway !== undefined) {
        this.#hold(expected);
        return underway.catch((error: unknown) => {
          this.#unhold(expected);
          throw error;
        });
      }
    }
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

  /** An extraction whose chain id was not known before may turn out to be a layer there is already. */
  async #settle(layer: LayerRecord): Promise<LayerRecord> {
    const known = this.store.layer(layer.chainId) ?? (await this.#staged.get(layer.chainId));
    this.#hold(layer.chainId);
    if (known === undefined) {
      this.#staged.set(layer.chainId, Promise.resolve(layer));
      return layer;
    }
    if (known.storageId !== layer.storageId) await this.storage.removeLayer(layer.storageId);
    return known;
  }

  async #extract(
    want: WantedLayer,
    source: NonNullable<WantedLayer['source']>,
    below: LayerRecord | undefined,
    options: { signal?: AbortSignal },
  ): Promise<LayerRecord> {
    const storageId = randomBytes(16).toString('hex');
    const applied = await this.storage.applyLayer(
      {
        id: storageId,
        source: await source(),
        ...(below !== undefined && { parent: below.storageId }),
        ...(want.diffId !== undefined && { expectedDiffId: want.diffId }),
      },
      options,
    );
    crashPoint('image.layer.applied');
    return {
      chainId: chainOf(below, applied.diffId),
      diffId: applied.diffId,
      storageId,
      size: applied.size,
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
    if (!this.#unhold(chainId)) return;
    const staged = await this.#staged.get(chainId)?.catch(() => undefined);
    this.#staged.delete(chainId);
    if (staged !== undefined && this.store.layer(chainId) === undefined) await this.discard([staged.storageId]);
  }
}

const chainOf = (below: LayerRecord | undefined, diffId: string): string =>
  below === undefined ? diffId : digestOf(`${below.chainId} ${diffId}`);

function topDown(layers: readonly LayerRecord[]): readonly string[] {
  const depth = new Map<string, number>();
  const byId = new Map(layers.map((layer) => [layer.chainId, layer]));
  const depthOf = (layer: LayerRecord): number => {
    const parent = layer.parentChainId === undefined ? undefined : byId.get(layer.parentChainId);
    return depth.get(layer.chainId) ?? (parent === undefined ? 0 : 1 + depthOf(parent));
  };
  for (const layer of layers) depth.set(layer.chainId, depthOf(layer));
  return layers.map(({ chainId }) => chainId).sort((a, b) => (depth.get(b) ?? 0) - (depth.get(a) ?? 0));
}
