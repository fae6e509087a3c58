import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { LayersInUse } from './layers/layers-in-use.js';
import { RegisteredUsers } from './registered-users.js';
import { RemoveImage } from './remove-image.js';
import type { UnneededImages } from './service.js';
import { ImageStore } from './store/image-store.js';

/** Images that an area keeps as a cache. */
@injectable()
export class StoredUnneededImages implements UnneededImages {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(RegisteredUsers) private readonly users: RegisteredUsers,
    @inject(LayersInUse) private readonly inUse: LayersInUse,
    @inject(RemoveImage) private readonly removeImage: RemoveImage,
  ) {}

  exists(id: string): boolean {
    return this.store.byId(id) !== undefined;
  }

  has(id: string): boolean {
    const waiting = this.store.byId(id) === undefined ? [] : [id];
    const isThere = waiting.length > 0;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.store.referencesOf(next).length > 0 || this.users.usersOf(next).length > 0) return false;
      waiting.push(...this.store.childrenOf(next).map(({ record }) => record.id));
    }
    return isThere;
  }

  addedSize(id: string): number {
    const image = this.store.byId(id);
    const { parent } = image?.record ?? {};
    const below = parent === undefined ? 0 : (this.store.byId(parent)?.chainIds.length ?? 0);
    const added = image?.chainIds.slice(below) ?? [];
    return added.reduce((sum, chainId) => sum + (this.store.layer(chainId)?.size ?? 0), 0);
  }

  async remove(id: string): Promise<boolean> {
    const image = this.store.byId(id);
    if (image === undefined || !this.has(id) || this.store.childrenOf(id).length > 0) return false;
    if (image.chainIds.some((chainId) => this.inUse.has(chainId))) return false;
    try {
      await this.removeImage.remove(id, { force: false, prune: false });
      return true;
    } catch (error) {
      if (kindOf(error) === 'conflict' || kindOf(error) === 'not-found') return false;
      throw error;
    }
  }
}
