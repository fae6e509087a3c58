import { readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { invalidArgument } from '../../errors/engine-error.js';
import { borrowDescriptor, type LentDescriptor } from '../../streams/lent-descriptor.js';
import { sendJson } from '../responses/send-json.js';
import { startHarness, type Wire } from '../testing/http-harness.js';
import { bodyStream } from './body.js';
import { defaultBodyLimits } from './body-limits.js';

const mebibyte = 2 ** 20;

/** Takes so many bytes of what was lent. */
async function take(lent: LentDescriptor, length: number, signal: AbortSignal): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let filled = 0; filled < length; ) {
    try {
      const some = readSync(lent.descriptor, bytes, filled, length - filled, null);
      if (some === 0) return bytes.subarray(0, filled);
      filled += some;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      signal.throwIfAborted();
      await turn();
    }
  }
  return bytes;
}

const textOf = (bytes: Buffer): string => [...new Set(bytes)].map((byte) => String.fromCharCode(byte)).join('');

async function harness(t: ExecutionContext, idle = 10_000) {
  const made = await startHarness(
    t,
    (router) => {
      router.get('/_ping', (ctx) => {
        ctx.body = 'OK';
      });
      router.post('/lent', async (ctx) => {
        const stream = bodyStream(ctx);
        const lent = await borrowDescriptor(stream, 6, (begin) => begin[0] === 120, ctx.state.signal);
        if (lent === undefined) {
          let length = 0;
          for await (const part of stream) length += (part as Buffer).length;
          return sendJson(ctx, { streamed: length });
        }
        const some = Number(ctx.query.take ?? lent.length);
        let bytes: Buffer = Buffer.alloc(0);
        try {
          bytes = await take(lent, some, ctx.state.signal);
        } finally {
          await lent.giveBack(ctx.query.lost === '1' ? undefined : bytes.length);
          stream.destroy();
        }
        if (ctx.query.lost === '1' || bytes.length < some) throw invalidArgument('the rest did not come');
        sendJson(ctx, { taken: lent.beginning.length + bytes.length, of: textOf(bytes) });
      });
    },
    { bodyLimits: { ...defaultBodyLimits, idle } },
  );
  return (length: number, query = '', more: string[] = []) =>
    made.wire(
      `${[`POST /lent${query} HTTP/1.1`, 'Host: x', `Content-Length: ${length}`, ...more].join('\r\n')}\r\n\r\n`,
    );
}

const ping = 'GET /_ping HTTP/1.1\r\nHost: x\r\n\r\n';
/** The body of an answer with a length. */
async function answer(wire: Wire): Promise<string> {
  const head = await wire.head();
  return `${head.split(' ', 2)[1]} ${await wire.take(Number(/Content-Length: (\d+)/.exec(head)?.[1]))}`;
}

test('a body that another reads of the socket leaves the connection behind its end', async (t) => {
  const wire = await (await harness(t))(3 * mebibyte);
  for (let part = 0; part < 3; part++) wire.write('x'.repeat(mebibyte));
  // In one write with the next request, of which nothing may be taken.
  wire.write(ping);
  t.is(await answer(wire), `200 {"taken":${3 * mebibyte},"of":"x"}\n`);
  t.is(await answer(wire), '200 OK');
  wire.write(`POST /lent HTTP/1.1\r\nHost: x\r\nContent-Length: ${mebibyte}\r\n\r\n${'x'.repeat(mebibyte)}${ping}`);
  t.is(await answer(wire), `200 {"taken":${mebibyte},"of":"x"}\n`, 'again on the same connection');
  t.is(await answer(wire), '200 OK');
});

test('what was not taken of a body is thrown away', async (t) => {
  const body = 'x'.repeat(2 * mebibyte);
  const begin = await harness(t);
  for (const taken of [0, 1, 300_000]) {
    const wire = await begin(body.length, `?take=${taken}`);
    wire.write(body + ping);
    t.regex(await answer(wire), /^200 \{"taken"/);
    t.is(await answer(wire), '200 OK');
  }
});

test('bodies that nobody wants to borrow, short ones and those in chunks are streams', async (t) => {
  const begin = await harness(t);
  const other = await begin(2 * mebibyte);
  for (let byte = 0; byte < 5; byte++) other.write('y');
  other.write('y'.repeat(2 * mebibyte - 5) + ping);
  t.is(await answer(other), `200 {"streamed":${2 * mebibyte}}\n`);
  t.is(await answer(other), '200 OK');
  const short = await begin(10);
  short.write('xxxxxxxxxx');
  t.is(await answer(short), '200 {"streamed":10}\n');
  short.write('POST /lent HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxx\r\n0\r\n\r\n');
  t.is(await answer(short), '200 {"streamed":2}\n');
});

test('a client that sends nothing, is given up or ends in the middle gets an answer behind which the connection ends', async (t) => {
  const begin = await harness(t, 200);
  const silent = await begin(2 * mebibyte);
  t.regex(await silent.head(), /^HTTP\/1.1 400 [\s\S]*Connection: close/);
  t.regex(await silent.rest(), /did not arrive within 0.2 s/);
  const given = await begin(2 * mebibyte, '?take=5&lost=1');
  given.write('x'.repeat(mebibyte));
  t.regex(await given.head(), /^HTTP\/1.1 400 [\s\S]*Connection: close/);
  t.regex(await given.rest(), /the rest did not come/);
  const half = await begin(2 * mebibyte);
  half.write('x'.repeat(mebibyte));
  half.socket.end();
  t.regex(await half.rest(), /^HTTP\/1.1 400 [\s\S]*Connection: close/);
});
