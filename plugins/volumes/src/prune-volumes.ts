import { inject, injectable } from '@gantry/core/driver';
import type { PruneFilters } from '@gantry/core/http';
import { EngineEvents, prune } from '@gantry/core/plugin';
import { VolumesService } from './volumes-service.js';

interface PrunedVolumes {
  readonly names: readonly string[];
  /** Bytes, of drivers that measure. */
  readonly reclaimed: number;
}

/** Spec: POST /volumes/prune. */
@injectable()
export class PruneVolumes {
  constructor(
    @inject(VolumesService) private readonly volumes: VolumesService,
    @inject(EngineEvents) private readonly events: EngineEvents,
  ) {}

  /**
   * Removes volumes of this host that no container names: those without a name of their own, or with the filter `all`
   * every one. Publishes `prune`.
   */
  async prune(filters: PruneFilters, { signal }: { readonly signal: AbortSignal }): Promise<PrunedVolumes> {
    const withNamed = filters.all.boolean('all') ?? false;
    const { reclaimed, removed } = await prune(this.events, {
      type: 'volume',
      candidates: (await this.volumes.list()).volumes,
      isUnneeded: ({ anonymous = false, createdAt, labels, name, scope }) =>
        scope === 'local' &&
        (withNamed || anonymous) &&
        filters.matches(labels, createdAt) &&
        this.volumes.usersOf(name).length === 0,
      remove: async (volume) => {
        const bytes = Math.max(0, await this.volumes.sizeOf(volume));
        await this.volumes.remove(volume.name);
        return bytes;
      },
      tolerated: ['conflict', 'not-found'],
      signal,
    });
    return { names: removed.map(({ name }) => name), reclaimed };
  }
}
