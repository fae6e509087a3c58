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

/** With what is the same for all services here, and networks only where the client gave them: it may send back what it is shown. */
function shownSpec({ TaskTemplate: template = {}, ...spec }: ServiceSpec): ServiceSpec {
  const { Networks: networks, ...rest } = template;
  const isOfTasks = networks !== undefined && (spec.Networks ?? []).length === 0;
  return {
    ...spec,
    TaskTemplate: {
      ...rest,
      ...(isOfTasks && { Networks: networks }),
      ContainerSpec: { ...template.ContainerSpec, Isolation: 'default' },
      Runtime: 'container',
    },
  };
}
