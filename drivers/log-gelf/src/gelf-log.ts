import { DeliveringLog } from '@gantry/lib-log/driver';
import { settingsOf, validateOptions } from './options.js';

/** Sends each line to a server that takes GELF. */
export const gelfLog = () =>
  new DeliveringLog({
    id: 'gelf',
    validate: validateOptions,
    settingsOf,
    load: async () => (await import('./sink.js')).openGelfSink,
  });
