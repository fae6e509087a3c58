import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to Fluentd or what speaks its protocol. What it needs for that is loaded with the first container. */
export class FluentdLog implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: false };

  validate(options: Readonly<Record<string, string>>): void {
    validateOptions(options);
  }

  async open(container: LogContainer): Promise<LogSink> {
    const settings = settingsOf(container.options);
    const { openFluentdSink } = await import('./sink.js');
    return openFluentdSink(container, settings);
  }

  path(): string {
    return '';
  }

  /** What was sent is the server's. */
  async remove(container: LogContainer): Promise<void> {
    const { ProgressFile } = await import('@gantry/log-common');
    await new ProgressFile(container, 'fluentd').remove();
  }
}
