import { inject, injectable } from '@gantry/core/driver';
import { RestoreEndpoints } from '../recovery/restore-endpoints.js';
import type { OpenSandbox, SandboxRequest, SandboxService } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
import { JoinedNetworks } from '../swarm/joined-networks.js';
import { OpenSwarmSandbox } from '../swarm/open-swarm-sandbox.js';
import { SetUpSandbox } from './set-up-sandbox.js';
import { TearDownSandbox } from './tear-down-sandbox.js';

/** The sandboxes of containers from their start to their exit. Calls for one container must not overlap. */
@injectable()
export class SandboxesService implements SandboxService {
  constructor(
    @inject(NetworkStore) private readonly store: NetworkStore,
    @inject(SetUpSandbox) private readonly setUpSandbox: SetUpSandbox,
    @inject(TearDownSandbox) private readonly tearDownSandbox: TearDownSandbox,
    @inject(RestoreEndpoints) private readonly restoreEndpoints: RestoreEndpoints,
    @inject(JoinedNetworks) private readonly joinedNetworks: JoinedNetworks,
    @inject(OpenSwarmSandbox) private readonly openSwarmSandbox: OpenSwarmSandbox,
  ) {}

  open(request: SandboxRequest, options?: { readonly signal?: AbortSignal }): Promise<OpenSandbox> {
    return this.openSwarmSandbox.open(request, (complete) => this.setUpSandbox.setUp(complete, options));
  }

  close(containerId: string): Promise<void> {
    const networkIds = this.store.endpointsOf(containerId).map(({ networkId }) => networkId);
    return this.joinedNetworks.release(networkIds, () => this.tearDownSandbox.tearDown(containerId));
  }

  async renamed(containerId: string, containerName: string): Promise<void> {
    const sandbox = this.store.sandbox(containerId);
    const endpoints = this.store.endpointsOf(containerId).map((endpoint) => ({ ...endpoint, containerName }));
    if (sandbox === undefined && endpoints.length === 0) return;
    const sandboxes = sandbox === undefined ? [] : [{ ...sandbox, containerName }];
    await this.store.change({ endpoints, sandboxes });
  }

  restore(runningIds: readonly string[]): Promise<void> {
    return this.restoreEndpoints.restore(runningIds);
  }
}
