import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { conflict, invalidArgument, messageOf, unavailable } from '../kernel/errors.js';
import type { Endpoint } from './endpoint.js';
import { listenAtPath } from './unix-socket.js';

/** A server that listens. */
export interface Bound {
  /** A path, or host and port. */
  readonly address: string;
  /** Takes away what closing the server leaves behind. */
  release(): Promise<void>;
}

const nothingLeft = () => Promise.resolve();

/** Makes the server listen. Errors are one line that names the endpoint. */
export async function listen(server: Server, endpoint: Endpoint): Promise<Bound> {
  switch (endpoint.kind) {
    case 'unix':
      return listenAtPath(server, endpoint);
    case 'fd':
      await listening(server, { fd: endpoint.fd } as ListenOptions, `descriptor ${endpoint.fd}`);
      return { address: `fd://${endpoint.fd}`, release: nothingLeft };
    case 'tcp': {
      const { host, port } = endpoint;
      if (endpoint.tls === undefined && endpoint.insecure !== true) {
        throw invalidArgument(
          `tcp://${host}:${port}: without tls anyone who reaches the port is root here; set insecure to say so`,
        );
      }
      await listening(server, { host, port }, `tcp://${host}:${port}`);
      const bound = server.address() as AddressInfo;
      return { address: `${host}:${bound.port}`, release: nothingLeft };
    }
  }
}

/** How many clients may wait to be let in; the kernel takes no more than `net.core.somaxconn` says. */
const backlog = 65_535;

/** Calls `listen` and waits for its outcome. */
export async function listening(server: Server, options: ListenOptions, name: string): Promise<void> {
  try {
    server.listen({ backlog, ...options });
    await once(server, 'listening');
  } catch (cause) {
    const inUse = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw inUse
      ? conflict(`${name}: the address is in use`, { cause })
      : unavailable(`${name}: cannot listen: ${messageOf(cause)}`, { cause });
  }
}
