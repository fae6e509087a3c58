import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { invalidArgument } from '../../errors/engine-error.js';
import { type Bound, bind } from './bind.js';
import type { Endpoint, LocalEndpoint } from './endpoint.js';
import { listenAtPath } from './listen-at-path.js';

const nothingLeft = () => Promise.resolve();

/** Makes the server listen. Errors are one line that names the endpoint. */
export async function listen(server: Server, endpoint: Endpoint | LocalEndpoint): Promise<Bound> {
  switch (endpoint.kind) {
    case 'unix':
      return listenAtPath(server, endpoint);
    case 'fd':
      await bind(server, { fd: endpoint.fd } as ListenOptions, `descriptor ${endpoint.fd}`);
      return { address: `fd://${endpoint.fd}`, release: nothingLeft };
    case 'process':
      return { address: 'in process', release: nothingLeft };
    case 'tcp': {
      const { host, port } = endpoint;
      if (endpoint.tls === undefined && endpoint.insecure !== true) {
        throw invalidArgument(
          `tcp://${host}:${port}: without tls anyone who reaches the port is root here; set insecure to say so`,
        );
      }
      await bind(server, { host, port }, `tcp://${host}:${port}`);
      const bound = server.address() as AddressInfo;
      return { address: `${host}:${bound.port}`, release: nothingLeft };
    }
  }
}
