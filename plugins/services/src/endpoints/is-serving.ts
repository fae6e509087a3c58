import type { TaskRecord } from '../records/task-record.js';

/** A task that is to be stopped is neither found nor connected to any more. */
export const isServing = ({ DesiredState: desired, Status: status }: TaskRecord): boolean =>
  status.State === 'running' && desired === 'running';
