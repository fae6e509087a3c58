import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to Splunk. What it needs for that is loaded with the first container. */
export class SplunkLog implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: false };

  validate(options: Readonly<Record<string, string>>): void {
    validateOptions(options);
  }

  async open(container: LogContainer): Promise<LogSink> {
    const settings = settingsOf(container.options);
    const { openSplunkSink } = await import('./sink.js');
    return openSplunkSink(container, settings);
  }

  path(): string {
    return '';
  }

  /** What was sent is the server's. */
  async remove(container: LogContainer): Promise<void> {
    const { ProgressFile } = await import('@gantry/log-common');
    await new ProgressFile(container, 'splunk').remove();
  }
}
