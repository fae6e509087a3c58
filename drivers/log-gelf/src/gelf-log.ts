import { DeliveringLog } from '@gantry/log-common/driver';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to a server that takes GELF. */
export const gelfLog = () =>
  new DeliveringLog({
    id: 'gelf',
    validate: validateOptions,
    settingsOf,
    load: async () => (await import('./sink.js')).openGelfSink,
  });
