import { connect } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import type { LogContainer, LogSink } from '@gantry/core/contracts';
import { DatagramLink, DeliveringSink, type Outlet, StreamLink } from '@gantry/lib-log';
import { datagramsOf } from './datagrams-of.js';
import { GelfFormat } from './gelf-format.js';
import type { GelfSettings } from './options.js';

export function openGelfSink(container: LogContainer, settings: GelfSettings): Promise<LogSink> {
  const format = new GelfFormat(container, hostname());
  const { attempts } = settings;
  return DeliveringSink.open(container, { driver: 'gelf', ...(attempts !== undefined && { attempts }) }, () =>
    settings.address.scheme === 'udp' ? datagrams(settings, format) : stream(settings, format),
  );
}

function datagrams({ address, compression, level }: GelfSettings, format: GelfFormat): Outlet {
  const link = new DatagramLink(address.host, address.port);
  const packers = { gzip: promisify<Buffer, object, Buffer>(gzip), zlib: promisify<Buffer, object, Buffer>(deflate) };
  const packed = async (json: Buffer): Promise<Buffer> =>
    compression === 'none' ? json : packers[compression](json, { level });
  return {
    async send(messages) {
      let dropped = 0;
      for (const message of messages) {
        const parts = datagramsOf(await packed(Buffer.from(format.json(message))));
        if (parts === undefined) dropped++;
        else await link.send(parts);
      }
      return { dropped };
    },
    close: async () => link.close(),
  };
}

/** Over TCP, messages are neither compressed nor cut, and each ends with a zero byte. */
function stream({ address, reconnectDelay }: GelfSettings, format: GelfFormat): Outlet {
  const { host, port } = address;
  const link = new StreamLink({ name: `tcp://${host}:${port}`, connect: () => connect({ host, port }) });
  let failedAt = Number.NEGATIVE_INFINITY;
  return {
    async send(messages, { signal }) {
      const wait = failedAt + reconnectDelay - performance.now();
      if (!link.isOpen && wait > 0) await delay(wait, undefined, { signal });
      try {
        await link.send(Buffer.from(messages.map((message) => `${format.json(message)}\0`).join('')), signal);
        return undefined;
      } catch (error) {
        failedAt = performance.now();
        throw error;
      }
    },
    close: ({ signal }) => link.close(signal),
  };
}
