import { inject, injectable } from '@gantry/core/driver';
import { CachedSteps } from '../cache/cached-steps.js';
import { KeptContexts } from '../context/kept-contexts.js';
import type { CacheFacts } from '../contract/cache-facts.js';
import { CacheMounts } from '../mounts/cache-mounts.js';

/** Caches of all types. */
@injectable()
export class CacheOwners {
  constructor(
    @inject(CacheMounts) private readonly mounts: CacheMounts,
    @inject(KeptContexts) private readonly contexts: KeptContexts,
    @inject(CachedSteps) private readonly steps: CachedSteps,
  ) {}

  /** The least recently used first. */
  async list(): Promise<readonly CacheFacts[]> {
    await this.steps.forget();
    const caches = (await Promise.all([this.mounts.list(), this.contexts.list(), this.steps.list()])).flat();
    return caches.sort((a, b) => a.lastUsed.getTime() - b.lastUsed.getTime());
  }

  /** Resolves to whether it is removed: nothing uses it, and no other is made on top of it. */
  remove({ type, id }: CacheFacts): Promise<boolean> {
    if (type === 'source.local') return this.contexts.remove(id);
    return type === 'regular' ? this.steps.remove(id) : this.mounts.remove(id);
  }
}
