import { inject, injectable } from '@gantry/core/driver';
import { RestoreEndpoints } from '../recovery/restore-endpoints.js';
import type { OpenSandbox, SandboxRequest, SandboxService } from '../service.js';
import { NetworkStore } from '../store/network-store.js';
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
  ) {}

  open(request: SandboxRequest, options?: { readonly signal?: AbortSignal }): Promise<OpenSandbox> {
    return this.setUpSandbox.setUp(request, options);
  }

  close(containerId: string): Promise<void> {
    return this.tearDownSandbox.tearDown(containerId);
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
