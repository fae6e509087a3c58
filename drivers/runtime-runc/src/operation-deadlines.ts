import { Config, inject, injectable, withDeadline } from '@gantry/core/driver';
import type { RuntimeConfig } from './config.js';

interface Operation {
  /** The deadline of the configuration that applies. */
  readonly deadline: keyof RuntimeConfig['deadlines'];
  /** What has to answer, such as `the runtime`. */
  readonly who: string;
  /** What it is asked to do, such as `create 4f1c`. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
  /** Settles only when the work does, for work that observes its signal and must not go on unobserved. */
  readonly awaitsWork?: boolean;
}

/** Runs operations under the configured deadlines. */
@injectable()
export class OperationDeadlines {
  constructor(@inject(Config) private readonly config: Pick<RuntimeConfig, 'deadlines'>) {}

  /** Rejects `unavailable` saying what did not answer, or with the reason of the operation's own signal. */
  run<T>(operation: Operation, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { deadline, who, what, signal, awaitsWork = false } = operation;
    const milliseconds = this.config.deadlines[deadline];
    const error = `${who} did not answer within ${milliseconds / 1000} s to ${what}`;
    return withDeadline({ milliseconds, error, signal, awaitsWork }, work);
  }
}
