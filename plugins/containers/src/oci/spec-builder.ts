import { IdMappings, type OciProcess, type OciSpec } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import { CdiDevices } from '../cdi/cdi-devices.js';
import type { ContainersConfig } from '../containers-config.js';
import { HostFacts } from '../host/host-facts.js';
import { Confinement } from '../security/confinement.js';
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
    @inject(CdiDevices) private readonly cdi: Pick<CdiDevices, 'addTo'>,
    @inject(Confinement) private readonly confinement: Pick<Confinement, 'of'>,
    @inject(IdMappings) private readonly idMappings: IdMappings,
  ) {}

  /**
   * Reads users and groups from the mounted root. Rejects `invalid-argument` for an unknown user ("unable to find user X:
   * no matching entries in passwd file"), and for an AppArmor profile that is not loaded; `internal` for unknown devices.
   */
  async build(request: Omit<SpecRequest, 'containers'>): Promise<OciSpec> {
    const { cgroupParent, initPath } = this.config;
    const { host, idMappings } = this;
    const environment = { host, idMappings, initPath, ...(cgroupParent !== undefined && { cgroupParent }) };
    const { hostConfig } = request.record;
    const building = buildSpec({ ...request, containers: this.store.lookup }, environment);
    const [spec, confined] = await Promise.all([
      building.then((built) => this.cdi.addTo(built, hostConfig)),
      this.confinement.of(request.record),
    ]);
    return { ...spec, process: { ...spec.process, ...confined } };
  }

  /** The process of an exec, which inherits from the container's first process. */
  async execProcess(request: ExecSpecRequest): Promise<OciProcess> {
    const [process, confined] = await Promise.all([
      execProcess(request, this.host.capabilities),
      this.confinement.of(request.record),
    ]);
    return { ...process, ...confined };
  }
}
