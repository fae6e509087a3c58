import { DeliveringLog } from '@gantry/lib-log/driver';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to Fluentd or what speaks its protocol. */
export const fluentdLog = () =>
  new DeliveringLog({
    id: 'fluentd',
    validate: validateOptions,
    settingsOf,
    load: async () => (await import('./sink.js')).openFluentdSink,
  });
