import { DeliveringLog } from '@gantry/lib-log/driver';
import type { Config } from './config.js';
import { type AwsSettings, settingsOf, validateOptions } from './options.js';

/** Sends each line to Amazon CloudWatch Logs. */
export const awsLogs = (config: Config) =>
  new DeliveringLog<AwsSettings>({
    id: 'awslogs',
    validate: (options) => validateOptions(options, config),
    settingsOf: (options) => settingsOf(options, config),
    load: async () => {
      const { openAwsSink } = await import('./sink.js');
      return (container, settings) => openAwsSink(container, settings, config);
    },
  });
