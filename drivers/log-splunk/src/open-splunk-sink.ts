import { hostname } from 'node:os';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { DeliveringSink } from '@gantry/lib-log';
import { CollectorOutlet } from './collector-outlet.js';
import { EventFormat } from './event-format.js';
import type { SplunkSettings } from './options.js';

/** Milliseconds between two requests when little is written. */
const interval = 1000;

export function openSplunkSink(container: LogContainer, settings: SplunkSettings): Promise<LogSink> {
  const format = new EventFormat(container, settings.format, hostname());
  return DeliveringSink.open(container, { driver: 'splunk', interval }, () => {
    return new CollectorOutlet(settings, container.options, format);
  });
}
