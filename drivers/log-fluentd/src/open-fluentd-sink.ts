import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { DeliveringSink } from '@gantry/lib-log';
import { ForwardOutlet } from './forward-outlet.js';
import type { FluentdSettings } from './options.js';
import { RecordFormat } from './record-format.js';

export function openFluentdSink(container: LogContainer, settings: FluentdSettings): Promise<LogSink> {
  const format = new RecordFormat(container, settings);
  const { attempts } = settings;
  const delivery = { driver: 'fluentd', ...(attempts !== undefined && { attempts }) };
  return DeliveringSink.open(container, delivery, () => new ForwardOutlet(settings, format));
}
