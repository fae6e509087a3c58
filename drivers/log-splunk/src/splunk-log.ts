import { DeliveringLog } from '@gantry/lib-log/driver';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to Splunk. */
export const splunkLog = () =>
  new DeliveringLog({
    id: 'splunk',
    validate: validateOptions,
    settingsOf,
    load: async () => (await import('./sink.js')).openSplunkSink,
  });
