import { injectable } from '@gantry/core/driver';
import { DeliveringLog } from '@gantry/lib-log/driver';
import { type GelfSettings, settingsOf, validateOptions } from './options.js';

/** Sends each line to a server that speaks GELF. */
@injectable()
export class GelfLog extends DeliveringLog<GelfSettings> {
  constructor() {
    super({
      id: 'gelf',
      validate: validateOptions,
      settingsOf,
      load: async () => (await import('./open-gelf-sink.js')).openGelfSink,
    });
  }
}
