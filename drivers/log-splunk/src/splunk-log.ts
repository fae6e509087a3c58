import { injectable } from '@gantry/core/driver';
import { DeliveringLog } from '@gantry/lib-log/driver';
import { type SplunkSettings, settingsOf, validateOptions } from './options.js';

/** Sends each line to Splunk. */
@injectable()
export class SplunkLog extends DeliveringLog<SplunkSettings> {
  constructor() {
    super({
      id: 'splunk',
      validate: validateOptions,
      settingsOf,
      load: async () => (await import('./open-splunk-sink.js')).openSplunkSink,
    });
  }
}
