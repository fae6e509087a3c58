import { inject, injectable } from '@gantry/core/driver';
import type { PruneFilters } from '@gantry/core/http';
import { EngineEvents, prune } from '@gantry/core/plugin';
import { RegisteredUsers } from './registered-users.js';
import { type RemovedItem, RemoveImage } from './remove-image.js';
import { createdAt } from './store/created-at.js';
import type { StoredImage } from './store/image-record.js';
import { ImageStore } from './store/image-store.js';

interface PrunedImages {
  readonly removed: readonly RemovedItem[];
  /** Bytes of the layers that are gone. */
  readonly reclaimed: number;
}

/** Spec: POST /images/prune. */
@injectable()
export class PruneImages {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(RegisteredUsers) private readonly users: RegisteredUsers,
    @inject(RemoveImage) private readonly removeImage: RemoveImage,
    @inject(EngineEvents) private readonly events: EngineEvents,
  ) {}

  /**
   * Removes images that nothing needs: those without a name, or with the filter `dangling=false` every one that no
   * container uses. Publishes `prune`.
   */
  async prune(filters: PruneFilters, { signal }: { readonly signal: AbortSignal }): Promise<PrunedImages> {
    const onlyDangling = filters.all.boolean('dangling') ?? true;
    const sizes = new Map([...this.store.layers()].map(({ chainId, size }) => [chainId, size]));
    const items: RemovedItem[] = [];
    const { reclaimed } = await prune(this.events, {
      type: 'image',
      candidates: this.store.images(),
      isUnneeded: (image) => this.#isUnneeded(image, { onlyDangling }) && this.#matches(image, filters),
      remove: async (image) => {
        const removed = await this.#remove(image.record.id, items);
        return removed.reduce((sum, item) => sum + ('Deleted' in item ? (sizes.get(item.Deleted) ?? 0) : 0), 0);
      },
      // A container was created from it, or another client has removed it.
      tolerated: ['conflict', 'not-found'],
      signal,
    });
    return { removed: items, reclaimed };
  }

  #isUnneeded({ record: { id } }: StoredImage, { onlyDangling }: { readonly onlyDangling: boolean }): boolean {
    if (this.store.childrenOf(id).length > 0 || this.users.usersOf(id).length > 0) return false;
    return !onlyDangling || this.store.referencesOf(id).length === 0;
  }

  #matches(image: StoredImage, filters: PruneFilters): boolean {
    return filters.matches(image.configuration.config?.Labels ?? undefined, new Date(createdAt(image)).toISOString());
  }

  /** One name after the other: an image in several repositories is removed only by force otherwise. @param items gets what is removed. */
  async #remove(id: string, items: RemovedItem[]): Promise<readonly RemovedItem[]> {
    const first = items.length;
    const names = this.store.referencesOf(id);
    for (const name of names.length > 0 ? names : [id]) {
      if (this.store.byId(id) === undefined) break;
      // The digests of a repository are removed with its last tag.
      if (names.length > 0 && !this.store.referencesOf(id).includes(name)) continue;
      items.push(...(await this.removeImage.remove(name, { force: false, prune: true })));
    }
    return items.slice(first);
  }
}
