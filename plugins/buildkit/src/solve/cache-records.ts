import { BuildService, type CacheFacts, cacheMatcher } from '@gantry/build/service';
import { inject, injectable } from '@gantry/core/driver';
import { timestamp } from './timestamp.js';

interface PruneRequest {
  readonly filter: readonly string[];
  /** Nanoseconds. */
  readonly keepDuration: number;
  readonly reservedSpace: number;
  readonly maxUsedSpace: number;
  readonly minFreeSpace: number;
}

/** What builds keep, as `buildx du` and `buildx prune` know it. */
@injectable()
export class CacheRecords {
  constructor(@inject(BuildService.token) private readonly builder: BuildService) {}

  async usage({ filter }: { readonly filter: readonly string[] }): Promise<object> {
    const matches = cacheMatcher(filter);
    return { record: (await this.builder.caches()).filter(matches).map(recordOf) };
  }

  async *prune(request: PruneRequest): AsyncGenerator<object> {
    const { filter, keepDuration, reservedSpace, maxUsedSpace, minFreeSpace } = request;
    const removed = await this.builder.pruneCaches({
      matches: cacheMatcher(filter),
      unusedSince: keepDuration > 0 ? new Date(Date.now() - keepDuration / 1e6) : undefined,
      limits: { reservedSpace, maxUsedSpace, minFreeSpace },
    });
    for (const cache of removed) yield recordOf(cache);
  }
}

const recordOf = ({ id, type, description, size, created, lastUsed, isInUse }: CacheFacts): object => ({
  ID: id,
  Size: size,
  Mutable: type !== 'regular',
  InUse: isInUse,
  CreatedAt: timestamp(created),
  LastUsedAt: timestamp(lastUsed),
  Description: description,
  RecordType: type,
});
