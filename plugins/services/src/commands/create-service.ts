import { ClusterService, newId } from '@gantry/cluster/service';
import { createRecord } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { Clock, inject, injectable, rfc3339 } from '@gantry/core/driver';
import { assignPorts } from '../endpoints/assign-ports.js';
import { serviceKind } from '../records/record-kinds.js';
import type { ServiceRecord } from '../records/service-record.js';
import { checkServiceSpec } from '../spec/check-service-spec.js';
import { isJob } from '../spec/service-mode.js';
import type { ServiceSpec } from '../spec/service-spec.js';
import { CheckReferences } from './check-references.js';
import { completeSpec } from './complete-spec.js';
import { PinImage } from './pin-image.js';
import { ServiceNames } from './service-names.js';
import { checkNames, retryOnTakenName } from './store-errors.js';
import { StoreService } from './store-service.js';

interface CreateRequest {
  readonly spec: ServiceSpec;
  /** The header with which images are pulled. */
  readonly registryAuth: string | undefined;
  /** Whether the client leaves it to the engine to resolve the tag of its image. */
  readonly pinsImage: boolean;
}

interface CreatedService {
  readonly id: string;
  readonly warnings: readonly string[];
}

/** Spec: POST /services/create. */
@injectable()
export class CreateService {
  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(CheckReferences) private readonly references: CheckReferences,
    @inject(ServiceNames) private readonly names: ServiceNames,
    @inject(PinImage) private readonly pinImage: PinImage,
    @inject(StoreService) private readonly storeService: StoreService,
    @inject(Clock.token) private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Resolves when the service is stored; its tasks follow. */
  async create(request: CreateRequest): Promise<CreatedService> {
    const { spec, registryAuth, pinsImage } = request;
    // First of all: outside of a swarm that is the answer, whatever the specification is.
    await this.cluster.manager();
    checkServiceSpec(spec.Name ? spec : { ...spec, Name: 'unnamed' });
    const pinned = pinsImage ? await this.pinImage.pin(spec, registryAuth) : { spec, warnings: [] };
    const id = await retryOnTakenName(() => this.#create(pinned.spec, registryAuth));
    return { id, warnings: pinned.warnings };
  }

  async #create(given: ServiceSpec, registryAuth: string | undefined): Promise<string> {
    const { store } = await this.cluster.manager();
    const named = given.Name ? given : { ...given, Name: this.names.generate(store) };
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
    await this.storeService.store(store, record, (complete) => createRecord(serviceKind, id, complete));
    crashPoint('services.create.stored');
    return id;
  }
}
