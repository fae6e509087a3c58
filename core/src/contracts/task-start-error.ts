import { EngineError } from '../errors/engine-error.js';
import type { TaskStartFailure } from './runtime.js';

/** The runtime refused to start a process; `exitCode` is what clients expect for the cause. */
export class TaskStartError extends EngineError implements TaskStartFailure {
  constructor(
    message: string,
    readonly exitCode: 126 | 127 | 128,
    options?: ErrorOptions,
  ) {
    super(exitCode === 128 ? 'internal' : 'invalid-argument', message, options);
  }
}
