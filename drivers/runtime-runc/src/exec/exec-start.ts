import type { ExecRequest } from '@gantry/core/contracts';
import { conflict } from '@gantry/core/errors';
import type { OciRuntime } from '../runtime/oci-runtime.js';
import { taskStartError } from '../runtime/runtime-error.js';
import type { Task } from '../task/task.js';
import type { ExecLayout } from './exec-layout.js';

/** A request to start a further process in a task. */
export interface ExecStart {
  readonly task: Task;
  readonly runtime: OciRuntime;
  readonly request: ExecRequest;
  readonly layout: ExecLayout;
  readonly signal: AbortSignal;
}

/** The error for a process that was not started, from what the runtime printed. */
export function execFailure({ task, request }: ExecStart, printed: string): Error {
  // If the task has exited, that is the better explanation.
  if (!task.isLiving) return conflict(`Container ${task.id} is not running`);
  return taskStartError('exec', printed, request.process.args[0] ?? '');
}
