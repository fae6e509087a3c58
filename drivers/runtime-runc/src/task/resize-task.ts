import type { TerminalSize } from '@gantry/core/contracts';
import { conflict, invalidArgument, notFound } from '@gantry/core/errors';
import { sendResize } from '../monitor/control.js';
import type { Task } from './task.js';

/** Resizes a task's terminal. */
export async function resizeTask(task: Task, size: TerminalSize): Promise<void> {
  const { record } = task.living;
  if (!record.terminal) throw conflict(`Container ${task.id} has no terminal`);
  checkSize(size);
  if (!(await sendResize(task.layout.control, size))) throw notFound(`Container ${task.id} is not running`);
}

/** @throws EngineError `invalid-argument` for what the kernel cannot take. */
export function checkSize({ height, width }: TerminalSize): void {
  for (const [name, value] of Object.entries({ height, width })) {
    if (!Number.isInteger(value) || value < 0 || value > 65_535)
      throw invalidArgument(`${name}: ${value} is not a size`);
  }
}
