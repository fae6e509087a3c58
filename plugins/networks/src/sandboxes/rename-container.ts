import { inject, injectable } from '@gantry/core/driver';
import { NetworkStore } from '../store/network-store.js';

/** Stores the new name of a container, by which the embedded resolvers find it. See `NetworkService.renamed`. */
@injectable()
export class RenameContainer {
  constructor(@inject(NetworkStore) private readonly store: NetworkStore) {}

  async rename(containerId: string, containerName: string): Promise<void> {
    const sandbox = this.store.sandbox(containerId);
    const endpoints = this.store.endpointsOf(containerId).map((endpoint) => ({ ...endpoint, containerName }));
    if (sandbox === undefined && endpoints.length === 0) return;
    const sandboxes = sandbox === undefined ? [] : [{ ...sandbox, containerName }];
    await this.store.change({ endpoints, sandboxes });
  }
}
