import { inject, injectable } from '@gantry/core/driver';
import { Datagrams } from '@gantry/lib-linux/datagrams';
import { DeliveringLog } from '@gantry/lib-log/driver';
import { type SyslogSettings, settingsOf, validateOptions } from './options.js';

/** Sends each line to a syslog server. */
@injectable()
export class SyslogLog extends DeliveringLog<SyslogSettings> {
  constructor(@inject(Datagrams.token) datagrams: Datagrams) {
    super({
      id: 'syslog',
      validate: validateOptions,
      settingsOf,
      load: async () => {
        const { openSyslogSink } = await import('./open-syslog-sink.js');
        return (container, settings) => openSyslogSink(container, settings, datagrams);
      },
    });
  }
}
