import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Scope } from '@gantry/test-nodes';
import { untilListening } from './until-listening.js';

export const userHeader = 'x-remote-user';

/**
 * A proxy of the operator in front of a console: it has signed a user in, names it in a header, and passes requests and
 * WebSockets on to the console's Unix socket. @returns where a browser reaches it.
 */
export async function startProxy(t: Scope, socketPath: string, user: string): Promise<string> {
  await untilListening({ path: socketPath });
  const ask = ({ method, url, headers }: IncomingMessage) =>
    request({ socketPath, method, path: url, headers: { ...headers, [userHeader]: user } });
  const server = createServer((incoming, outgoing) => {
    const asked = ask(incoming);
    asked.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (incoming: IncomingMessage, browser: Duplex) => {
    upgraded.add(browser);
    const asked = ask(incoming);
    asked.on('upgrade', ({ rawHeaders }, program, head) => {
      const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
      browser.write(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`);
      browser.write(head);
      browser.pipe(program).pipe(browser);
      program.on('error', () => browser.destroy());
      browser.on('error', () => program.destroy());
    });
    asked.on('response', () => browser.destroy());
    asked.on('error', () => browser.destroy());
    asked.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const each of upgraded) each.destroy();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
