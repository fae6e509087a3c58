import type { NetworkSpec } from '@gantry/core/contracts';
import { inject, injectable, Logger } from '@gantry/core/driver';
import { NetworkSetup } from '../network-setup.js';
import { NetworkTable } from '../network-table.js';

/** Restores networks of an earlier daemon with their bridges. */
@injectable()
export class RestoreBridges {
  constructor(
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(NetworkSetup) private readonly setup: NetworkSetup,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** A network that cannot be restored is logged and does not stop the others. */
  restore(specs: readonly NetworkSpec[]): void {
    const defaultMtu = this.setup.sharedDefaultMtu();
    for (const spec of specs) {
      try {
        const network = this.setup.describe(spec, this.networks.values(), defaultMtu);
        this.networks.set(spec.id, network);
        this.setup.ensure(network);
      } catch (error) {
        const facts = { event: 'network.restore-failed', networkId: spec.id, error };
        this.log.error(facts, 'failed to restore a network');
      }
    }
  }
}
