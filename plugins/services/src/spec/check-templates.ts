import { taskFields } from '../templates/task-fields.js';
import { expandContainer } from './expand-container.js';
import type { ContainerSpec } from './service-spec.js';

/** A task whose values stand for those of every other. */
const sample = taskFields(
  { id: 'task', name: 'service.1.task', slot: 1, serviceId: 'service', serviceName: 'service', serviceLabels: {} },
  { id: 'node', hostname: 'node', platform: { Architecture: 'x86_64', OS: 'linux' } },
);

/**
 * The container as a task has it, its placeholders filled with the values of a sample.
 * @throws EngineError `invalid-argument` naming the field and the placeholder that no task could fill.
 */
export const checkTemplates = (container: ContainerSpec): ContainerSpec => expandContainer(container, sample);
