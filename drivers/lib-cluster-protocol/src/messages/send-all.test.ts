import { EventEmitter, once } from 'node:events';
import { connect, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { sendAll } from './send-all.js';

/** A stream at both ends; of the server's end when it is closed, and the socket of the connection. */
async function open(t: ExecutionContext) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.on('error', () => undefined);
  t.teardown(() => session.destroy());
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const received = session.request({ ':method': 'POST' });
  received.on('error', () => undefined);
  const [stream] = (await once(server, 'stream')) as [ServerHttp2Stream];
  stream.on('error', () => undefined);
  stream.respond();
  const closed = new AbortController();
  stream.once('close', () => closed.abort(new Error('closed')));
  return { received, signal: closed.signal, socket: (await connected)[0], stream };
}

test('all of a source arrives, with its end, also when it is more than the other side has room for', async (t) => {
  const { received, signal, stream } = await open(t);
  async function* pieces() {
    yield 'first ';
    for (let count = 0; count < 100; count++) yield Buffer.alloc(10_000, 'x');
  }
  const [bytes] = await Promise.all([buffer(received), sendAll(pieces(), stream, signal)]);
  t.is(bytes.toString(), `first ${'x'.repeat(1_000_000)}`);
});

test('what a source throws is what sending rejects with, and the stream stays open', async (t) => {
  const { signal, stream } = await open(t);
  // biome-ignore lint/correctness/useYield: it fails at once
  async function* failing(): AsyncGenerator<string> {
    throw new Error('no more');
  }
  await t.throwsAsync(sendAll(failing(), stream, signal), { message: 'no more' });
  t.false(stream.destroyed || stream.closed);
});

test('a connection that is lost ends sending, also while the source waits, and Node alone ends the stream', async (t) => {
  const { received, signal, socket, stream } = await open(t);
  const source = new EventEmitter();
  async function* pieces() {
    try {
      yield 'piece';
      await once(source, 'more');
      yield 'is not sent';
    } finally {
      source.emit('ended');
    }
  }
  const sending = sendAll(pieces(), stream, signal);
  await once(received, 'data');
  let isDestroyed: boolean | undefined;
  stream.once('aborted', () => {
    isDestroyed = stream.destroyed;
  });
  socket.destroy();
  await t.throwsAsync(sending, { message: 'closed' });
  t.false(isDestroyed, 'the HTTP/2 library of Node does not know of the end yet');
  const ended = once(source, 'ended');
  source.emit('more');
  await ended;
});
