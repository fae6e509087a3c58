import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import { unavailable } from '@gantry/core/errors';

/** Keeps nothing, and says so: the runtime need not even spool. */
export class NoLog implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: true };

  /** Whatever is asked of a log that is not kept is done: options meant for the default driver may stay. */
  validate(): void {}

  async open(_container: LogContainer): Promise<LogSink> {
    let isClosed = false;
    return {
      dropped: 0,
      async write() {
        if (isClosed) throw unavailable('the log is closed');
      },
      resumeAt: async () => undefined,
      async close() {
        isClosed = true;
      },
    };
  }

  path(): string {
    return '';
  }

  async remove(): Promise<void> {}
}
