import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { RemoveEndpoint } from '../endpoints/remove-endpoint.js';
import { NetworkStore } from '../store/network-store.js';

/** Takes a container that is not known any more off a network. See `NetworkService.disconnectAbsent`. */
@injectable()
export class DisconnectAbsentContainer {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(RemoveEndpoint) private readonly removeEndpoint: RemoveEndpoint,
  ) {}

  async disconnect(reference: string, networkId: string): Promise<void> {
    const record = this.store
      .endpointsOn(networkId)
      .find(({ containerId, containerName }) => containerId === reference || containerName === reference);
    if (record === undefined) throw notFound(`endpoint ${reference} not found`);
    await this.removeEndpoint.remove(record);
  }
}
