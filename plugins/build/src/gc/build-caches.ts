import { statfs } from 'node:fs/promises';
import { Config, inject, injectable, Lifetime, Logger, Mutex, PackageDirectories } from '@gantry/core/driver';
import type { BuildConfig } from '../config.js';
import { allowedBytes, type CacheFacts, type PruneOptions } from '../contract/cache-facts.js';
import { CacheOwners } from './cache-owners.js';

/** Everything that builds keep for later ones. */
@injectable()
export class BuildCaches {
  readonly #mutex = new Mutex();
  readonly #directory: string;
  #collecting: Promise<void> | undefined;

  constructor(
    @inject(CacheOwners) private readonly owners: CacheOwners,
    @inject(Config) private readonly config: BuildConfig,
    @inject(PackageDirectories) directories: PackageDirectories,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.#collecting);
    this.#directory = directories.root;
  }

  /** The least recently used first. */
  list(): Promise<readonly CacheFacts[]> {
    return this.owners.list();
  }

  /** Removes what no build uses. Resolves to what was removed. */
  prune(options: PruneOptions): Promise<readonly CacheFacts[]> {
    return this.#mutex.run(() => this.#prune(options));
  }

  /** Begins to keep to the configured limits, unless that is under way. */
  collect(): void {
    this.#collecting ??= this.#collect().finally(() => {
      this.#collecting = undefined;
    });
  }

  async #collect(): Promise<void> {
    const { keepDuration, enabled, ...limits } = this.config.gc;
    if (!enabled || Object.values(limits).every((limit) => limit === 0)) return;
    const unusedSince = keepDuration === 0 ? undefined : new Date(Date.now() - keepDuration * 1000);
    try {
      const removed = await this.prune({ unusedSince, limits });
      if (removed.length === 0) return;
      const facts = { event: 'build.caches-collected', ids: removed.map(({ id }) => id) };
      this.log.info(facts, 'removed build caches beyond the limits');
    } catch (err) {
      this.log.warn({ event: 'build.caches-not-collected', err }, 'failed to keep build caches to their limits');
    }
  }

  async #prune({ matches, unusedSince, limits }: PruneOptions): Promise<readonly CacheFacts[]> {
    const all = await this.owners.list();
    let size = all.reduce((sum, cache) => sum + cache.size, 0);
    const allowed = limits === undefined ? 0 : allowedBytes(limits, size, await this.#freeBytes());
    const removed: CacheFacts[] = [];
    const waiting = new Set(
      all.filter(
        (cache) =>
          !cache.isInUse && matches?.(cache) !== false && (unusedSince === undefined || cache.lastUsed <= unusedSince),
      ),
    );
    // The image of a step can be removed when those on top of it have been.
    for (let before = -1; before !== removed.length; ) {
      before = removed.length;
      for (const cache of waiting) {
        if (allowed > 0 && size <= allowed) return removed;
        if (!(await this.owners.remove(cache))) continue;
        waiting.delete(cache);
        size -= cache.size;
        removed.push(cache);
      }
    }
    return removed;
  }

  async #freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#directory);
    return bavail * bsize;
  }
}
