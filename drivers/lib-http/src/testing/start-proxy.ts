import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

interface Owner {
  teardown(work: () => void): void;
}

/** A forward proxy on loopback that leads every host to one server. */
export interface TestProxy {
  readonly url: string;
  /** The request lines so far, such as `CONNECT registry.test:443`. */
  readonly asked: string[];
  /** Proxy-Authorization of each request. */
  readonly authorizations: (string | undefined)[];
}

/** `target` is `host:port` of the server. */
export async function startProxy(t: Owner, target: string): Promise<TestProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const [host = '', port = ''] = target.split(':');
  const note = ({ method, url, headers }: IncomingMessage): void => {
    asked.push(`${method} ${url}`);
    authorizations.push(headers['proxy-authorization']);
  };
  const server = createServer((incoming, response) => {
    note(incoming);
    const { pathname, search } = new URL(incoming.url ?? '', 'http://none');
    const { 'proxy-authorization': _own, ...headers } = incoming.headers;
    const onward = request({ host, port, path: pathname + search, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    note(incoming);
    const onward = connect(Number(port), host, () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    onward.pipe(socket).pipe(onward);
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, authorizations };
}
