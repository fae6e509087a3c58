import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import test from 'ava';
import { WebSocket } from 'ws';
import { conflict, notFound } from '../../errors/engine-error.js';
import type { Router } from '../routing/router.js';
import { startHarness } from '../testing/http-harness.js';
import { acceptWebSocket } from './accept-web-socket.js';

const routes = (router: Router): void => {
  router.get('/echo', async (ctx) => {
    const { socket } = await acceptWebSocket(ctx, { binary: ctx.querystring === 'binary' });
    await pipeline(socket, socket, { end: false });
  });
  router.get('/cut', async (ctx) => {
    const { socket } = await acceptWebSocket(ctx);
    const bytes = Buffer.from('é!');
    socket.write(bytes.subarray(0, 1));
    socket.write(bytes.subarray(1));
  });
  router.get('/throws', async (ctx) => {
    await acceptWebSocket(ctx);
    throw conflict('too late');
  });
  router.get('/absent', () => {
    throw notFound('No such container: absent');
  });
};

const connect = (path: string, target: string, protocols: string[] = []) =>
  new WebSocket(`ws+unix://${path}:${target}`, protocols);

test('messages become a stream, and what is written becomes messages', async (t) => {
  const harness = await startHarness(t, routes);
  for (const target of ['/echo', '/echo?binary']) {
    const client = connect(harness.path, target);
    await once(client, 'open');
    client.send('hello');
    const [data, isBinary] = (await once(client, 'message')) as [Buffer, boolean];
    t.is(data.toString(), 'hello');
    t.is(isBinary, target.endsWith('binary'));
    client.close();
    await once(client, 'close');
  }
});

test('a text message never ends inside a character', async (t) => {
  const harness = await startHarness(t, routes);
  const client = connect(harness.path, '/cut');
  let text = '';
  client.on('message', (data) => {
    text += String(data);
  });
  await once(client, 'close');
  t.is(text, 'é!');
});

test('the first subprotocol the client offers is echoed', async (t) => {
  const harness = await startHarness(t, routes);
  const client = connect(harness.path, '/echo', ['base64', 'binary']);
  await once(client, 'open');
  t.is(client.protocol, 'base64');
  client.terminate();
});

test('the socket is closed when the handler is done, also when it throws', async (t) => {
  const harness = await startHarness(t, routes);
  const client = connect(harness.path, '/throws');
  const [code] = (await once(client, 'close')) as [number];
  t.is(code, 1000);
});

test('an error before the handshake is answered as usual', async (t) => {
  const harness = await startHarness(t, routes);
  const client = connect(harness.path, '/absent');
  const [error] = (await once(client, 'error')) as [Error];
  t.regex(error.message, /404/);
});

test('a request that is no handshake is refused', async (t) => {
  const harness = await startHarness(t, routes);
  const plain = await harness.ask('GET', '/echo');
  t.is(plain.status, 400);
  t.regex(plain.text, /^\{"message":"not a WebSocket handshake/);
  const headers = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  const bad = await harness.wire(`GET /echo HTTP/1.1\r\n${headers}Sec-WebSocket-Version: 7\r\n\r\n`);
  t.regex(await bad.head(), /^HTTP\/1.1 400 Bad Request\r\n/);
  t.regex(await bad.rest(), /Sec-WebSocket-Version must be 13/);
});
