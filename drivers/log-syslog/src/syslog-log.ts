import { DeliveringLog } from '@gantry/lib-log/driver';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to a syslog server. */
export const syslogLog = () =>
  new DeliveringLog({
    id: 'syslog',
    validate: validateOptions,
    settingsOf,
    load: async () => (await import('./sink.js')).openSyslogSink,
  });
