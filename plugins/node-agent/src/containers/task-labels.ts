import type { AssignedTask } from '@gantry/services/service';

/** The label by which the container of a task is found. */
export const taskIdLabel = 'com.docker.swarm.task.id';

/** What the containers of tasks are labelled with, as clients of swarms expect. */
export const labelsOf = (task: AssignedTask, nodeId: string): Readonly<Record<string, string>> => ({
  ...task.spec.ContainerSpec?.Labels,
  'com.docker.swarm.node.id': nodeId,
  'com.docker.swarm.service.id': task.serviceId,
  'com.docker.swarm.service.name': task.serviceName,
  'com.docker.swarm.task': '',
  [taskIdLabel]: task.id,
  'com.docker.swarm.task.name': task.name,
});
