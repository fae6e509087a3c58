import { Config, inject, injectable } from '@gantry/core/driver';
import { DeliveringLog } from '@gantry/lib-log/driver';
import type { AwsLogsConfig } from './config.js';
import { type AwsSettings, settingsOf, validateOptions } from './options.js';

/** Sends each line to Amazon CloudWatch Logs. */
@injectable()
export class AwsLogs extends DeliveringLog<AwsSettings> {
  constructor(@inject(Config) config: AwsLogsConfig) {
    super({
      id: 'awslogs',
      validate: (options) => validateOptions(options, config),
      settingsOf: (options) => settingsOf(options, config),
      load: async () => {
        const { openAwsSink } = await import('./open-aws-sink.js');
        return (container, settings) => openAwsSink(container, settings, config);
      },
    });
  }
}
