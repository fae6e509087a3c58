import { once } from 'node:events';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import test from 'ava';
import { hijack } from '../hijacking/hijack.js';
import { bodyStream } from '../requests/body.js';
import { sendJson } from '../responses/send-json.js';
import { Surface } from '../surface/surface.js';
import { EngineServer } from './engine-server.js';
import { MemorySocket } from './memory-socket.js';

/** Reads to the end. Iteration would destroy the socket then, with its other direction. */
async function textOf(socket: Duplex): Promise<string> {
  let read = '';
  socket.on('data', (part: Buffer) => {
    read += String(part);
  });
  await once(socket, 'end');
  return read;
}

test('both directions carry bytes, and end by themselves', async (t) => {
  const [left, right] = MemorySocket.pair();
  left.end('to the right');
  t.is(await textOf(right), 'to the right');
  right.end('to the left');
  t.is(await textOf(left), 'to the left');
});

test('a reader that is slow holds the writer back, which may use its memory again', async (t) => {
  const [left, right] = MemorySocket.pair();
  const chunk = Buffer.alloc(64 * 1024, 1);
  let written = 0;
  while (left.write(chunk, () => (written += 1)) || left.writableLength < 4 * chunk.length);
  t.true(written < 5);
  left.end();
  await new Promise(setImmediate);
  const read = await buffer(right);
  chunk.fill(2);
  t.true(read.length >= 4 * chunk.length && read.every((byte) => byte === 1));
});

test('an end that was closed is the end of input for the other, and writing to it fails', async (t) => {
  const [left, right] = MemorySocket.pair();
  left.destroy();
  t.is(await textOf(right), '');
  right.write('late');
  const [error] = (await once(right, 'error')) as [NodeJS.ErrnoException];
  t.is(error.code, 'EPIPE');
});

const ask = (server: EngineServer, method: string, path: string, headers = {}) =>
  request({ method, path, headers, createConnection: () => server.connect() as never });

async function startServer(): Promise<EngineServer> {
  const surface = new Surface({ name: 'local' });
  surface.routes('test', (router) => {
    router.post('/length', async (ctx) => sendJson(ctx, { length: (await buffer(bodyStream(ctx))).length }));
    router.post('/echo', async (ctx) => {
      const { socket } = await hijack(ctx, { contentType: 'text/plain' });
      for await (const part of socket) socket.write(part);
    });
    router.get('/endless', async (ctx) => {
      ctx.state.endless();
      await once(ctx.state.signal, 'abort');
      ctx.status = 204;
    });
  });
  return EngineServer.start(surface, { kind: 'process' });
}

test('a server is asked from within its process, with bodies of any length and raw connections', async (t) => {
  const server = await startServer();
  const upload = ask(server, 'POST', '/length');
  for (let part = 0; part < 64; part += 1) upload.write(Buffer.alloc(100_000));
  upload.end();
  const [answer] = await once(upload, 'response');
  t.is(await text(answer), '{"length":6400000}\n');

  const raw = ask(server, 'POST', '/echo', { Connection: 'Upgrade', Upgrade: 'tcp' });
  raw.end();
  const [, socket] = (await once(raw, 'upgrade')) as [unknown, Duplex];
  socket.end('there and back');
  t.is(await text(socket), 'there and back');

  const aborted = ask(server, 'GET', '/endless');
  aborted.end();
  const failed = once(aborted, 'error').catch((error: unknown) => error);
  const response = once(aborted, 'response').catch(() => undefined);
  await new Promise(setImmediate);
  await server.stop(AbortSignal.timeout(10_000));
  await Promise.race([failed, response]);
  t.throws(() => server.connect(), { message: 'the engine is stopping' });
});

test('requests one after the other leave turns to the rest of the process', async (t) => {
  const server = await startServer();
  t.teardown(() => server.stop(AbortSignal.timeout(10_000)));
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  t.teardown(() => clearInterval(timer));
  for (let count = 0; count < 2_000 && turns === 0; count += 1) {
    const asked = ask(server, 'POST', '/length');
    asked.end('body');
    const [answer] = await once(asked, 'response');
    await text(answer);
  }
  t.true(turns > 0);
});
