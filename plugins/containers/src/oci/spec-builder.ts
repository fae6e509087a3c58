import type { OciProcess, OciSpec } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import type { ContainersConfig } from '../containers-config.js';
import { HostFacts } from '../host/host-facts.js';
import { ContainerStore } from '../store/container-store.js';
import { buildSpec } from './build-spec.js';
import { execProcess } from './container-process.js';
import type { ExecSpecRequest, SpecRequest } from './spec-request.js';

/** Builds what an OCI runtime takes, for containers and for further processes in them. */
@injectable()
export class SpecBuilder {
  constructor(
    @inject(HostFacts) private readonly host: HostFacts,
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'lookup'>,
    @inject(Config) private readonly config: ContainersConfig,
  ) {}

  /**
   * Reads users and groups from the mounted root. Rejects `invalid-argument` for an unknown user ("unable to find user X:
   * no matching entries in passwd file").
   */
  build(request: Omit<SpecRequest, 'containers'>): Promise<OciSpec> {
    const { cgroupParent } = this.config;
    const containers = this.store.lookup;
    return buildSpec(
      { ...request, containers },
      { host: this.host, ...(cgroupParent !== undefined && { cgroupParent }) },
    );
  }

  /** The process of an exec, which inherits from the container's first process. */
  execProcess(request: ExecSpecRequest): Promise<OciProcess> {
    return execProcess(request, this.host.capabilities);
  }
}
