import type { LogCapabilities, LogDriver, LogSink } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

/** Keeps nothing; the runtime need not even spool. */
export class NoLog implements LogDriver {
  readonly capabilities: LogCapabilities = { read: false, worker: true, discards: true };

  validate(options: Readonly<Record<string, string>>): void {
    const [name] = Object.keys(options);
    if (name !== undefined) throw invalidArgument(`unknown log opt '${name}' for none log driver`);
  }

  async open(): Promise<LogSink> {
    return { write: async () => undefined, resumeAt: async () => undefined, dropped: 0, close: async () => undefined };
  }

  path(): string {
    return '';
  }

  async remove(): Promise<void> {}
}
