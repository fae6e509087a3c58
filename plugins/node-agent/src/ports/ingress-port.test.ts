import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { IngressPort } from './ingress-port.js';

/** A server that answers with a word and what it got. */
async function serve(t: ExecutionContext, word: string): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = '';
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString();
    });
    socket.on('end', () => socket.end(`${word}:${received}`));
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function open(t: ExecutionContext): Promise<IngressPort> {
  const port = new IngressPort(await freePort());
  await port.open();
  t.teardown(() => port.close());
  return port;
}

async function ask(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.end('hello');
  return text(socket);
}

test('connections go to one task after the other', async (t) => {
  const port = await open(t);
  const targets = [await serve(t, 'a'), await serve(t, 'b')];
  port.balance(targets.map((target) => ({ address: '127.0.0.1', port: target })));
  t.deepEqual([await ask(port.port), await ask(port.port), await ask(port.port)], ['a:hello', 'b:hello', 'a:hello']);
});

test('a task that does not answer costs no connection', async (t) => {
  const port = await open(t);
  const [dead, alive] = [await freePort(), await serve(t, 'alive')];
  port.balance([dead, alive].map((target) => ({ address: '127.0.0.1', port: target })));
  t.deepEqual([await ask(port.port), await ask(port.port)], ['alive:hello', 'alive:hello']);
});

test('without a task the connection is reset', async (t) => {
  const port = await open(t);
  await t.throwsAsync(ask(port.port), { code: 'ECONNRESET' });
});

test('a taken port rejects', async (t) => {
  const port = await open(t);
  await t.throwsAsync(new IngressPort(port.port).open(), { code: 'EADDRINUSE' });
});
