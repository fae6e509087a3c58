import { inject, injectable } from '@gantry/core/driver';
import { RestoreNetworks } from './recovery/restore-networks.js';
import { NetworkRoutes } from './routes.js';

/** The hooks of the package: networks are restored before clients or other areas see them. */
@injectable()
export class NetworksPlugin {
  constructor(
    @inject(RestoreNetworks) private readonly restoreNetworks: RestoreNetworks,
    @inject(NetworkRoutes) private readonly routes: NetworkRoutes,
  ) {}

  async start(): Promise<void> {
    await this.restoreNetworks.restore();
    this.routes.start();
  }
}
