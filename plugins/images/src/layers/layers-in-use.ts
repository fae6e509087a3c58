import { injectable } from '@gantry/core/driver';
import type { LayerRecord } from '../store/image-record.js';

/** Counts the users of layers besides stored images: images under construction, new containers and running saves. */
@injectable()
export class LayersInUse {
  readonly #holds = new Map<string, number>();
  /** Extractions whose layer is not recorded with an image yet, by chain ID. */
  readonly staged: Map<string, Promise<LayerRecord>> = new Map();
  /** Storage ids of layers that are being extracted or staged. */
  readonly unrecorded: Set<string> = new Set();

  has(chainId: string): boolean {
    return this.#holds.has(chainId) || this.staged.has(chainId);
  }

  /** Keeps recorded layers from being removed. @returns the release; calling it again has no effect. */
  hold(chain: readonly string[]): () => void {
    for (const chainId of chain) this.acquire(chainId);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const chainId of chain) this.release(chainId);
    };
  }

  acquire(chainId: string): void {
    this.#holds.set(chainId, (this.#holds.get(chainId) ?? 0) + 1);
  }

  /** @returns whether this was the last hold. */
  release(chainId: string): boolean {
    const count = (this.#holds.get(chainId) ?? 1) - 1;
    if (count > 0) this.#holds.set(chainId, count);
    else this.#holds.delete(chainId);
    return count <= 0;
  }
}
