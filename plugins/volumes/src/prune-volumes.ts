import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import type { PruneFilters } from '@gantry/core/http';
import { EngineEvents } from '@gantry/core/plugin';
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
    const { volumes } = await this.volumes.list();
    const names: string[] = [];
    let reclaimed = 0;
    for (const volume of volumes) {
      if (signal.aborted) break;
      const { anonymous = false, labels, name, scope } = volume;
      if (scope !== 'local' || !(withNamed || anonymous) || !filters.matches(labels, volume.createdAt)) continue;
      if (this.volumes.usersOf(name).length > 0) continue;
      const bytes = Math.max(0, await this.volumes.sizeOf(volume));
      try {
        await this.volumes.remove(name);
        names.push(name);
        reclaimed += bytes;
      } catch (error) {
        // A container was created with it, or another client has removed it.
        if (kindOf(error) !== 'conflict' && kindOf(error) !== 'not-found') throw error;
      }
    }
    const attributes = { reclaimed: String(reclaimed) };
    this.events.publish({ type: 'volume', action: 'prune', actor: { id: '', attributes } });
    return { names, reclaimed };
  }
}
