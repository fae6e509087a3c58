import { inject, injectable } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import type { CacheFacts, PruneOptions } from '../contract/cache-facts.js';
import { BuildCaches } from './build-caches.js';

/** Spec: POST /build/prune. */
@injectable()
export class PruneCaches {
  constructor(
    @inject(BuildCaches) private readonly caches: BuildCaches,
    @inject(EngineEvents) private readonly events: EngineEvents,
  ) {}

  /** Removes what no build uses. Publishes `prune`. */
  async prune(options: PruneOptions): Promise<{ readonly removed: readonly CacheFacts[]; readonly reclaimed: number }> {
    const removed = await this.caches.prune(options);
    const reclaimed = removed.reduce((sum, { size }) => sum + size, 0);
    const actor = { id: '', attributes: { reclaimed: String(reclaimed) } };
    this.events.publish({ type: 'builder', action: 'prune', actor });
    return { removed, reclaimed };
  }
}
