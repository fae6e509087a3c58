import { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';

/** How a client reaches an engine. */
export interface Transport {
  /** Opens a connection, on which HTTP is spoken. */
  connect(): Duplex;
}

/** An engine that listens at a Unix socket. */
export const unixSocket = (path: string): Transport => ({ connect: () => createConnection({ path }) });

/**
 * Reads where an engine listens, as in `DOCKER_HOST`: `unix:///run/gantry.sock` or `tcp://127.0.0.1:2375`.
 * @throws TypeError for anything else.
 */
export function transportOf(host: string): Transport {
  const [, path] = /^unix:\/\/(\/.+)$/.exec(host) ?? [];
  if (path !== undefined) return unixSocket(path);
  const [, name = '', port] = /^(?:tcp|http):\/\/(\[[\da-f:]+\]|[^/:]+):(\d+)\/?$/i.exec(host) ?? [];
  if (port === undefined) throw new TypeError(`"${host}" is neither unix:///PATH nor tcp://HOST:PORT`);
  return { connect: () => createConnection({ host: name.replace(/^\[|\]$/g, ''), port: Number(port) }) };
}
