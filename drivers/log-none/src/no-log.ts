import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';

/** Discards everything, so that the runtime need not spool. */
@injectable()
export class NoLog implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: true };

  /** Any option is accepted: those meant for the default driver may stay. */
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
