import { injectable } from '@gantry/core/driver';
import { DeliveringLog } from '@gantry/lib-log/driver';
import { type FluentdSettings, settingsOf, validateOptions } from './options.js';

/** Sends each line to Fluentd, or a server that speaks its protocol. */
@injectable()
export class FluentdLog extends DeliveringLog<FluentdSettings> {
  constructor() {
    super({
      id: 'fluentd',
      validate: validateOptions,
      settingsOf,
      load: async () => (await import('./open-fluentd-sink.js')).openFluentdSink,
    });
  }
}
