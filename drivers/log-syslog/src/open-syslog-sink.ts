import { hostname } from 'node:os';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import type { Datagrams } from '@gantry/lib-linux/datagrams';
import { DatagramLink, DeliveringSink, type LogMessage, type Outlet } from '@gantry/lib-log';
import { type HostAddress, renderTag } from '@gantry/lib-log/options';
import { LocalOutlet } from './local-outlet.js';
import type { SyslogSettings } from './options.js';
import { StreamOutlet } from './stream-outlet.js';
import { SyslogFormat } from './syslog-format.js';

/** `ports`: to sockets of this host. */
export function openSyslogSink(container: LogContainer, settings: SyslogSettings, ports: Datagrams): Promise<LogSink> {
  const tag = renderTag(container.options.tag || '{{.ID}}', container);
  const format = new SyslogFormat(settings, { hostname: hostname(), tag, pid: process.pid });
  return DeliveringSink.open(container, { driver: 'syslog' }, () => outlet(settings, container, format, ports));
}

function outlet(
  { address, format: name }: SyslogSettings,
  container: LogContainer,
  format: SyslogFormat,
  ports: Datagrams,
): Outlet {
  const bytes = (message: LogMessage) => format.bytes(message);
  if (address === undefined) return new LocalOutlet(ports, ['/dev/log', '/var/run/syslog', '/var/run/log'], bytes);
  if ('path' in address) return new LocalOutlet(ports, [address.path], bytes);
  if (address.scheme === 'udp') return datagrams(address, bytes);
  const isCounted = name.startsWith('rfc5424') && address.scheme === 'tcp+tls';
  return new StreamOutlet({ address, options: container.options, isCounted, bytes });
}

function datagrams({ host, port }: HostAddress, bytes: (message: LogMessage) => Buffer): Outlet {
  const link = new DatagramLink(host, port);
  return {
    async send(messages) {
      await link.send(messages.map(bytes));
      return undefined;
    },
    close: async () => link.close(),
  };
}
