import type { Service, ServicePort } from '../swarm-types';

export const stackLabel = 'com.docker.stack.namespace';

export const modeOf = ({ Spec: { Mode } }: Service): string => {
  if (Mode.Replicated !== undefined) return 'replicated';
  if (Mode.Global !== undefined) return 'global';
  return Mode.ReplicatedJob === undefined ? 'global job' : 'replicated job';
};

export const replicasOf = ({ ServiceStatus }: Service): string =>
  ServiceStatus === undefined ? '' : `${ServiceStatus.RunningTasks} of ${ServiceStatus.DesiredTasks}`;

export const imageOf = ({ Spec }: Service): string =>
  (Spec.TaskTemplate.ContainerSpec?.Image ?? '').split('@')[0] ?? '';

export const stackOf = ({ Spec }: Service): string => Spec.Labels?.[stackLabel] ?? '';

export const portsOf = ({ Endpoint }: Service): string => (Endpoint.Ports ?? []).map(portText).join(', ');

const portText = ({ PublishedPort, TargetPort, Protocol }: ServicePort): string =>
  `${PublishedPort ?? '?'}→${TargetPort}/${Protocol}`;
