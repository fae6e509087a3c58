import { isDeepStrictEqual } from 'node:util';
import { ClusterService } from '@gantry/cluster/service';
import { type ClusterRecord, type ClusterStore, TransactionConflict, updateRecord } from '@gantry/core/contracts';
import { Clock, inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { assignPorts } from '../endpoints/assign-ports.js';
import { momentOf } from '../orchestration/moment.js';
import { restoreSpec } from '../orchestration/updates/restore-spec.js';
import { serviceKind } from '../records/record-kinds.js';
import type { PreviousService, ServiceRecord } from '../records/service-record.js';
import { checkServiceSpec } from '../spec/check-service-spec.js';
import { isJob, modeOf } from '../spec/service-mode.js';
import type { ServiceSpec } from '../spec/service-spec.js';
import { CheckReferences } from './check-references.js';
import { completeSpec } from './complete-spec.js';
import { findService } from './find-service.js';
import { checkNames, outOfSequence, retryOnTakenName } from './store-errors.js';

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
}

@injectable()
export class UpdateService {
  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(CheckReferences) private readonly references: CheckReferences,
    @inject(Clock.token) private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Resolves when the specification is stored; its tasks follow. Rejects `conflict` for another version. */
  update(reference: string, request: UpdateRequest): Promise<void> {
    return retryOnTakenName(() => this.#update(reference, request));
  }

  async #update(reference: string, request: UpdateRequest): Promise<void> {
    const { store } = await this.cluster.manager();
    const record = findService(store, reference);
    if (!request.rollback) checkServiceSpec(request.spec);
    if (record.revision !== request.version) throw outOfSequence();
    const changed = request.rollback ? this.#rollBack(record.value) : this.#replace(store, record, request);
    try {
      await store.transact([updateRecord(serviceKind, record, changed)]);
    } catch (error) {
      if (TransactionConflict.is(error) && error.reason === 'revision') throw outOfSequence(error);
      throw error;
    }
  }

  #rollBack(service: ServiceRecord): ServiceRecord {
    const { Previous: previous } = service;
    if (previous === undefined)
      throw invalidArgument(`rollback: service ${service.Spec.Name} does not have a previous spec`);
    return restoreSpec(service, previous, momentOf(this.clock.now()), 'manually requested rollback');
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
      ...(service.JobStatus !== undefined &&
        isJob(spec) && { JobStatus: this.#nextRun(service.JobStatus.Iteration, isSameTask) }),
    };
  }

  #nextRun(iteration: number, isSame: boolean) {
    return { Iteration: isSame ? iteration : iteration + 1, LastExecution: momentOf(this.clock.now()).text };
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
