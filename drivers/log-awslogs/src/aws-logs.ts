import type { LogContainer, LogDriver, LogSink } from '@gantry/core/contracts';
import type { Config } from './config.js';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to Amazon CloudWatch Logs. What it needs for that is loaded with the first container. */
export class AwsLogs implements LogDriver {
  readonly capabilities = { read: false, worker: true, discards: false };

  constructor(private readonly config: Config) {}

  validate(options: Readonly<Record<string, string>>): void {
    validateOptions(options, this.config);
  }

  async open(container: LogContainer): Promise<LogSink> {
    const settings = settingsOf(container.options, this.config);
    const { openAwsSink } = await import('./sink.js');
    return openAwsSink(container, settings, this.config);
  }

  path(): string {
    return '';
  }

  /** What was sent is the service's. */
  async remove(container: LogContainer): Promise<void> {
    const { ProgressFile } = await import('@gantry/log-common');
    await new ProgressFile(container, 'awslogs').remove();
  }
}
