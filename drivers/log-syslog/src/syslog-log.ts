import { injectable } from '@gantry/core/driver';
import { DeliveringLog } from '@gantry/lib-log/driver';
import { type SyslogSettings, settingsOf, validateOptions } from './options.js';

/** Sends each line to a syslog server. */
@injectable()
export class SyslogLog extends DeliveringLog<SyslogSettings> {
  constructor() {
    super({
      id: 'syslog',
      validate: validateOptions,
      settingsOf,
      load: async () => (await import('./open-syslog-sink.js')).openSyslogSink,
    });
  }
}
