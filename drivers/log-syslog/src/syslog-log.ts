import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to a syslog server. What it needs for that is loaded with the first container. */
export class SyslogLog implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: false };

  validate(options: Readonly<Record<string, string>>): void {
    validateOptions(options);
  }

  async open(container: LogContainer): Promise<LogSink> {
    const settings = settingsOf(container.options);
    const { openSyslogSink } = await import('./sink.js');
    return openSyslogSink(container, settings);
  }

  path(): string {
    return '';
  }

  /** What was sent is the server's. */
  async remove(container: LogContainer): Promise<void> {
    const { ProgressFile } = await import('@gantry/log-common');
    await new ProgressFile(container, 'syslog').remove();
  }
}
