import { ClusterService, newId } from '@gantry/cluster/service';
import { createRecord } from '@gantry/core/contracts';
import { Clock, inject, injectable, rfc3339 } from '@gantry/core/driver';
import { assignPorts } from '../endpoints/assign-ports.js';
import { serviceKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import { checkServiceSpec } from '../spec/check-service-spec.js';
import { isJob } from '../spec/service-mode.js';
import type { ServiceSpec } from '../spec/service-spec.js';
import { CheckReferences } from './check-references.js';
import { completeSpec } from './complete-spec.js';
import { ServiceNames } from './service-names.js';
import { checkNames, retryOnTakenName } from './store-errors.js';

/** Spec: POST /services/create. */
@injectable()
export class CreateService {
  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(CheckReferences) private readonly references: CheckReferences,
    @inject(ServiceNames) private readonly names: ServiceNames,
    @inject(Clock.token) private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /**
   * Resolves to the id when the service is stored; its tasks follow.
   * @param registryAuth the header with which its images are pulled.
   */
  create(given: ServiceSpec, registryAuth: string | undefined): Promise<string> {
    return retryOnTakenName(() => this.#create(given, registryAuth));
  }

  async #create(given: ServiceSpec, registryAuth: string | undefined): Promise<string> {
    const { store } = await this.cluster.manager();
    const named = given.Name ? given : { ...given, Name: this.names.generate(store) };
    checkServiceSpec(named);
    const spec = this.references.check(store, completeSpec(named));
    const id = newId();
    const ports = assignPorts(spec, (name) => store.byName(serviceKind, name) !== undefined);
    checkNames(store, id, spec.Name ?? '', ports);
    const record: ServiceRecord = {
      ID: id,
      Spec: spec,
      SpecVersion: 1,
      LatestSpecVersion: 1,
      Ports: ports,
      ...(registryAuth !== undefined && { Credentials: this.cluster.seal(Buffer.from(registryAuth)) }),
      ...(isJob(spec) && { JobStatus: { Iteration: 0, LastExecution: rfc3339(this.clock.now()) } }),
    };
    await store.transact([createRecord(serviceKind, id, record)]);
    return id;
  }
}
