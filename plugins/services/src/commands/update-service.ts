import { isDeepStrictEqual } from 'node:util';
import { ClusterService } from '@gantry/cluster/service';
import { type ClusterRecord, type ClusterStore, TransactionConflict, updateRecord } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { Clock, inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { assignPorts } from '../endpoints/assign-ports.js';
import { momentOf } from '../orchestration/moment.js';
import { restoreSpec } from '../orchestration/updates/restore-spec.js';
import { serviceKind } from '../records/record-kinds.js';
import type { PreviousService, ServiceRecord } from '../records/service-record.js';
import { checkServiceSpec } from '../spec/check-service-spec.js';
import { modeOf } from '../spec/service-mode.js';
import type { ServiceSpec } from '../spec/service-spec.js';
import { CheckReferences } from './check-references.js';
import { completeSpec } from './complete-spec.js';
import { findService } from './find-service.js';
import { PinImage } from './pin-image.js';
import { restorePorts } from './restore-ports.js';
import { checkNames, outOfSequence, retryOnTakenName } from './store-errors.js';
import { StoreService } from './store-service.js';

/** Spec: POST /services/(id)/update. */
interface UpdateRequest {
  readonly spec: ServiceSpec;
  /** Of the record that the client has read. */
  readonly version: number;
  /** Back to the previous specification, whatever `spec` is. */
  readonly rollback: boolean;
  /** The header with which images are pulled. */
  readonly registryAuth: string | undefined;
  /** Whose credentials are taken when the header is absent. */
  readonly registryAuthFrom: 'spec' | 'previous-spec';
  /** Whether the client leaves it to the engine to resolve the tag of its image. */
  readonly pinsImage: boolean;
}

@injectable()
export class UpdateService {
  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(CheckReferences) private readonly references: CheckReferences,
    @inject(StoreService) private readonly storeService: StoreService,
    @inject(PinImage) private readonly pinImage: PinImage,
    @inject(Clock.token) private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /**
   * Resolves to warnings for the client when the specification is stored; its tasks follow. Rejects `conflict` for another
   * version.
   */
  async update(reference: string, request: UpdateRequest): Promise<readonly string[]> {
    const { spec, rollback, registryAuth } = request;
    const { store } = await this.cluster.manager();
    findService(store, reference);
    if (!rollback) checkServiceSpec(spec);
    const pins = request.pinsImage && !rollback;
    const pinned = pins ? await this.pinImage.pin(spec, registryAuth) : { spec, warnings: [] };
    await retryOnTakenName(() => this.#update(reference, { ...request, spec: pinned.spec }));
    return pinned.warnings;
  }

  async #update(reference: string, request: UpdateRequest): Promise<void> {
    const { store } = await this.cluster.manager();
    const record = findService(store, reference);
    if (record.revision !== request.version) throw outOfSequence();
    const changed = request.rollback ? this.#rollBack(store, record.value) : this.#replace(store, record, request);
    try {
      await this.storeService.store(store, this.#withNextRun(changed), (complete) =>
        updateRecord(serviceKind, record, complete),
      );
      crashPoint('services.update.stored');
    } catch (error) {
      if (TransactionConflict.is(error) && error.reason === 'revision') throw outOfSequence(error);
      throw error;
    }
  }

  #rollBack(store: ClusterStore, service: ServiceRecord): ServiceRecord {
    const { Previous: previous } = service;
    if (previous === undefined)
      throw invalidArgument(`rollback: service ${service.Spec.Name} does not have a previous spec`);
    const restored = restoreSpec(service, previous, momentOf(this.clock.now()), 'manually requested rollback');
    // Another rollback returns to what this one replaces.
    return restorePorts(store, { ...restored, Previous: previousOf(service) });
  }

  #replace(
    store: ClusterStore,
    { value: service }: ClusterRecord<ServiceRecord>,
    request: UpdateRequest,
  ): ServiceRecord {
    const spec = this.references.check(store, completeSpec(request.spec));
    checkUnchanged(service.Spec, spec);
    const ports = assignPorts(spec, (name) => store.byName(serviceKind, name) !== undefined, service.Ports);
    checkNames(store, service.ID, spec.Name ?? '', ports);
    const { Credentials: _credentials, Rollout: _rollout, UpdateStatus: _status, ...rest } = service;
    const credentials = this.#credentials(service, request);
    const isSameTask = isDeepStrictEqual([spec.TaskTemplate, ports], [service.Spec.TaskTemplate, service.Ports]);
    const next = service.LatestSpecVersion + 1;
    return {
      ...rest,
      Spec: spec,
      Previous: previousOf(service),
      ...(!isSameTask && { SpecVersion: next, LatestSpecVersion: next }),
      Ports: ports,
      ...(credentials !== undefined && { Credentials: credentials }),
    };
  }

  /** Every update of a job runs it again. */
  #withNextRun(service: ServiceRecord): ServiceRecord {
    const { JobStatus: job } = service;
    if (job === undefined) return service;
    return { ...service, JobStatus: { Iteration: job.Iteration + 1, LastExecution: momentOf(this.clock.now()).text } };
  }

  #credentials({ Credentials: own, Previous: previous }: ServiceRecord, request: UpdateRequest): string | undefined {
    if (request.registryAuth !== undefined) return this.cluster.seal(Buffer.from(request.registryAuth));
    return request.registryAuthFrom === 'previous-spec' ? previous?.Credentials : own;
  }
}

const previousOf = ({ Credentials: credentials, ...service }: ServiceRecord): PreviousService => ({
  Spec: service.Spec,
  SpecVersion: service.SpecVersion,
  Ports: service.Ports,
  ...(credentials !== undefined && { Credentials: credentials }),
});

/** @throws EngineError `not-implemented` for what an update cannot change. */
function checkUnchanged(before: ServiceSpec, after: ServiceSpec): void {
  if (before.Name !== after.Name) throw notImplemented(`Name: "${after.Name}": renaming services is not supported`);
  if (modeOf(before) !== modeOf(after))
    throw notImplemented(`Mode: ${modeOf(after)}: service mode change is not allowed`);
}
