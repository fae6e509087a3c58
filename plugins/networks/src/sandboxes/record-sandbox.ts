import { inject, injectable } from '@gantry/core/driver';
import { PrepareEndpoints } from '../endpoints/prepare-endpoints.js';
import { ReleaseAddresses } from '../endpoints/release-addresses.js';
import type { SandboxRequest } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord, NetworkRecord, SandboxRecord } from '../store/records.js';

/** Allocates the addresses of a sandbox and stores it with its endpoints, before anything of it exists. */
@injectable()
export class RecordSandbox {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(PrepareEndpoints) private readonly prepareEndpoints: PrepareEndpoints,
    @inject(ReleaseAddresses) private readonly releaseAddresses: ReleaseAddresses,
  ) {}

  /** `networks[i]` is the network of `attachments[i]`. On rejection no address stays allocated. */
  async record(
    { container, attachments }: SandboxRequest,
    networks: readonly NetworkRecord[],
    settings: Pick<SandboxRecord, 'resolver' | 'nameservers'>,
  ): Promise<readonly EndpointRecord[]> {
    const endpoints = await this.prepareEndpoints.prepare(container, attachments, networks);
    try {
      const sandbox = { containerId: container.id, containerName: container.name, ...settings };
      await this.store.change({ endpoints, sandboxes: [sandbox] });
      return endpoints;
    } catch (error) {
      for (const endpoint of endpoints) await this.releaseAddresses.release(endpoint);
      throw error;
    }
  }
}
