import type { ClusterRecord } from '@gantry/core/contracts';
import type { ServiceRecord } from '../records/service-record.js';
import type { ServiceSpec } from '../spec/service-spec.js';
import type { ServiceStatus } from './service-status.js';

/** Spec: service record. */
export function toService(record: ClusterRecord<ServiceRecord>, status?: ServiceStatus) {
  const {
    JobStatus: job,
    Ports: ports,
    Previous: previous,
    Spec: spec,
    UpdateStatus: update,
    VirtualIPs: addresses,
  } = record.value;
  const { EndpointSpec: endpoint } = spec;
  return {
    ID: record.id,
    Version: { Index: record.revision },
    CreatedAt: record.createdAt,
    UpdatedAt: record.updatedAt,
    Spec: shownSpec(spec),
    ...(previous !== undefined && { PreviousSpec: shownSpec(previous.Spec) }),
    Endpoint: {
      Spec: { ...(ports.length > 0 && { Mode: endpoint?.Mode || 'vip', Ports: endpoint?.Ports ?? [] }), ...endpoint },
      ...(ports.length > 0 && { Ports: ports }),
      ...(addresses !== undefined && { VirtualIPs: addresses }),
    },
    ...(update !== undefined && { UpdateStatus: update }),
    ...(job !== undefined && {
      JobStatus: { JobIteration: { Index: job.Iteration }, LastExecution: job.LastExecution },
    }),
    ...(status !== undefined && { ServiceStatus: status }),
  };
}

/** With what is the same for all services here. */
const shownSpec = ({ TaskTemplate: template = {}, ...spec }: ServiceSpec): ServiceSpec => ({
  ...spec,
  TaskTemplate: {
    ...template,
    ContainerSpec: { ...template.ContainerSpec, Isolation: 'default' },
    Runtime: 'container',
  },
});
