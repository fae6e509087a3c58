import { inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { RemoveEndpoint } from '../endpoints/remove-endpoint.js';
import { NetworkStore } from '../store/network-store.js';

/** Takes a container off one network. See `NetworkService.disconnect`. */
@injectable()
export class DisconnectContainer {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(RemoveEndpoint) private readonly removeEndpoint: RemoveEndpoint,
  ) {}

  /** Calls for one container must not overlap. */
  async disconnect(containerId: string, networkId: string): Promise<void> {
    const record = this.store.endpointsOf(containerId).find((endpoint) => endpoint.networkId === networkId);
    if (record === undefined) {
      const name = this.store.network(networkId)?.name ?? networkId;
      throw internal(`container ${containerId} is not connected to network ${name}`);
    }
    await this.removeEndpoint.remove(record);
  }
}
