import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import { forbidden } from '../../errors/engine-error.js';
import { defaultBodyLimits } from '../parsing/body-limits.js';
import { bodyStream, readJson } from '../requests/body.js';
import { sendJson } from '../responses/send-json.js';
import { type HttpHarnessOptions, startHarness, type Wire } from '../testing/http-harness.js';

/** Everything a request can run into, and what it came to. */
const harness = (t: ExecutionContext, options: HttpHarnessOptions = {}, waits = () => {}) =>
  startHarness(
    t,
    (router) => {
      router.get('/_ping', (ctx) => {
        ctx.body = 'OK';
      });
      router.get('/wait', async ({ state: { signal } }) => {
        waits();
        await once(signal, 'abort');
      });
      router.post('/json', async (ctx) => sendJson(ctx, await readJson(ctx, Body)));
      router.post('/archive', async (ctx) => {
        let length = 0;
        await pipeline(bodyStream(ctx), async (parts: AsyncIterable<Buffer>) => {
          for await (const part of parts) length += part.length;
        });
        sendJson(ctx, { length });
      });
    },
    options,
  );

const Body = Type.Object({
  Image: Type.Optional(Type.String()),
  Memory: Type.Optional(Type.Integer()),
  Labels: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
});

const head = (first: string, ...headers: string[]): string =>
  `${[first, 'Host: x', 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`;
const chunked = 'Transfer-Encoding: chunked';
const upgrade = ['Connection: Upgrade', 'Upgrade: tcp'] as const;

/** The status and the words of an answer behind which the connection ends. */
async function lastAnswer(wire: Wire): Promise<string> {
  const status = (await wire.head()).split(' ', 2)[1];
  return `${status} ${(JSON.parse(await wire.rest()) as { message: string }).message}`;
}

const post = 'POST /json HTTP/1.1';
const refusals: Readonly<Record<string, readonly [bytes: string, answer: RegExp]>> = {
  'a length and chunks': [
    `${head(post, 'Content-Length: 4', chunked)}2\r\n{}\r\n0\r\n\r\n`,
    /^400 malformed request: .*Transfer-Encoding/,
  ],
  'chunks and a length': [
    `${head(post, chunked, 'Content-Length: 4')}2\r\n{}\r\n0\r\n\r\n`,
    /^400 malformed request: .*Content-Length/,
  ],
  'two lengths': [`${head(post, 'Content-Length: 2', 'Content-Length: 3')}{}x`, /^400 .*Duplicate Content-Length/],
  'a list of lengths': [`${head(post, 'Content-Length: 2, 2')}{}`, /^400 .*Content-Length/],
  'a length with a sign': [`${head(post, 'Content-Length: +2')}{}`, /^400 .*Content-Length/],
  'a length beyond all bounds': [`${head(post, `Content-Length: ${'9'.repeat(20)}`)}{}`, /^400 .*overflow/],
  'a length in a trailer': [`${head(post, chunked)}2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n`, /^400 .*Content-Length/],
  'another encoding': [`${head(post, 'Transfer-Encoding: xchunked')}{}`, /^400 .*Transfer-Encoding/],
  'chunks that are compressed': [
    `${head(post, 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
    /^400 malformed request: Transfer-Encoding "gzip, chunked" is not understood/,
  ],
  'compressed chunks of an upgrade': [
    `${head(post, 'Transfer-Encoding: gzip, chunked', ...upgrade)}0\r\n\r\n`,
    /^400 malformed request: Transfer-Encoding "gzip, chunked" is not understood/,
  ],
  'a blank before the colon': [`${head(post, 'Transfer-Encoding : chunked')}0\r\n\r\n`, /^400 malformed request/],
  'a header on two lines': [`${head(post, 'Transfer-Encoding:\r\n chunked')}0\r\n\r\n`, /^400 malformed request/],
  'lines that end with LF': ['GET /_ping HTTP/1.1\nHost: x\n\n', /^400 malformed request/],
  'a CR inside a header': [head('GET /_ping HTTP/1.1', 'X: a\rb'), /^400 malformed request/],
  'a NUL inside a header': [head('GET /_ping HTTP/1.1', 'X: a\0b'), /^400 malformed request/],
  'two hosts': [head('GET /_ping HTTP/1.1', 'Host: y'), /^400 malformed request: there is more than one Host header/],
  'a size that is no number': [`${head(post, chunked)}zz\r\n{}\r\n`, /^400 .*chunk size/],
  'a size beyond all bounds': [`${head(post, chunked)}${'f'.repeat(17)}\r\n{}\r\n`, /^400 .*overflow/],
  'a chunk longer than its size': [`${head(post, chunked)}2\r\n{}X\r\n0\r\n\r\n`, /^400 .*chunk/],
  'long chunk extensions': [`${head(post, chunked)}2;${'a'.repeat(20_000)}\r\n{}`, /^413 /],
  'HTTP of another version': ['GET /_ping HTTP/9.9\r\nHost: x\r\n\r\n', /^400 .*HTTP version/],
  'HTTP before 1.0': ['GET /_ping\r\n\r\n', /^400 malformed request: /],
  'HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^400 /],
  TLS: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /^400 /],
  'a proxy is meant': [head('CONNECT x:80 HTTP/1.1'), /^400 malformed request: CONNECT is not served/],
  'an expectation': [`${head(post, 'Expect: 200-maybe', 'Content-Length: 2')}{}`, /^417 Expect: "200-maybe" is not/],
};

for (const [form, [bytes, answer]] of Object.entries(refusals)) {
  test(`a request is refused with the reason, and what follows it is not served: ${form}`, async (t) => {
    const wire = await (await harness(t)).wire(Buffer.from(bytes, 'latin1'));
    wire.write(head('GET /_ping HTTP/1.1'));
    t.regex(await lastAnswer(wire), answer);
  });
}

const slow = { bodyLimits: { ...defaultBodyLimits, time: 100, idle: 100 } };

for (const [what, begin] of [
  ['with a length', `${head(post, 'Content-Length: 10')}{}`],
  ['in chunks', `${head(post, chunked)}a\r\n{}`],
  ['behind an upgrade', `${head(post, 'Content-Length: 10', ...upgrade)}{}`],
  ['in chunks behind an upgrade', `${head(post, chunked, ...upgrade)}a\r\n{}`],
] as const) {
  test(`a body that stops is given up: ${what}`, async (t) => {
    const wire = await (await harness(t, slow)).wire(begin);
    t.is(await lastAnswer(wire), '400 the body of the request did not arrive within 0.1 s');
  });
}

test('an archive may take as long as it goes on, and one that stops is given up', async (t) => {
  const patient = { bodyLimits: { ...defaultBodyLimits, time: 100, idle: 1000 } };
  const wire = await (await harness(t, patient)).wire(head('POST /archive HTTP/1.1', chunked));
  const began = performance.now();
  for (let part = 0; part < 5; part++) {
    await delay(250);
    wire.write('2\r\nxx\r\n');
  }
  t.is(await lastAnswer(wire), '400 the next part of the body of the request did not arrive within 1 s');
  t.true(performance.now() - began > 2000, 'no sooner than the limit after the last part');
});

const documents: Readonly<Record<string, readonly [body: string, answer: RegExp]>> = {
  'a key twice': ['{"Image":"a","Image":"b"}', /^400 the JSON of the request has the key "Image" twice/],
  'a key twice, once escaped': ['{"Image":"a","\\u0049mage":"b"}', /^400 .* the key "Image" twice/],
  'a key twice deep inside': ['{"Labels":{"a":[{"b":1,"c":{},"b":2}]}}', /^400 .* the key "b" twice/],
  'a key twice in other case': ['{"Image":"a","image":"b"}', /^400 Image: is given twice, by keys that differ in case/],
  'the same twice in other case': ['{"Image":"a","image":"a"}', /^200 .*"Image":"a"/],
  'equal keys of several objects': ['{"Labels":{"a":{"x":1},"b":{"x":1},"x":"\\"x\\":"}}', /^200 /],
  'more values than one means': [`{"Labels":{"a":[${'1,'.repeat(60)}1]}}`, /^400 .* more than 50 values/],
  'keys that are special to the language': ['{"__proto__":{"Image":"a"},"constructor":{}}', /^200 \{"Labels":\{\}\}/],
  'such keys in a map': ['{"Labels":{"__proto__":{"x":1},"constructor":2}}', /^200 .*"__proto__":\{"x":1\}/],
  'a number beyond all bounds': ['{"Memory":1e999}', /^400 Memory: Infinity is not an integer/],
  'a byte order mark': ['\ufeff{}', /^400 the body of the request is not JSON/],
  'two documents': ['{} {}', /^400 the body of the request is not JSON/],
};

for (const [what, [body, answer]] of Object.entries(documents)) {
  test(`JSON with ${what}`, async (t) => {
    const { ask } = await harness(t, { bodyLimits: { ...defaultBodyLimits, values: 50 } });
    const { status, text } = await ask('POST', '/json', { body, headers: { 'Content-Type': 'application/json' } });
    t.regex(`${status} ${status === 200 ? text : (JSON.parse(text) as { message: string }).message}`, answer);
    t.is(({} as { Image?: string }).Image, undefined);
  });
}

test('idle connections make room for others, and where all are in use the next is refused', async (t) => {
  let waiting = 0;
  const { ask, wire } = await harness(t, { limits: { maxConnections: 3 } }, () => waiting++);
  const [first, partial] = [await wire(), await wire('GET /_ping HT')];
  const used = [await wire(head('GET /wait HTTP/1.1'))];
  for (const idle of [first, partial]) {
    used.push(await wire(head('GET /wait HTTP/1.1')));
    t.is(await idle.rest(), '', 'the one that has been idle for longest goes');
  }
  while (waiting < 3) await new Promise(setImmediate);
  const next = await wire(head('GET /_ping HTTP/1.1'));
  t.is(await lastAnswer(next), '503 as many connections as there may be are in use');
  used[0]?.socket.destroy();
  while ((await ask('GET', '/_ping')).status === 503) await new Promise(setImmediate);
  t.pass();
});

test('a burst of clients is let in, and a thousand idle ones cost the others nothing', async (t) => {
  const { ask, wire } = await harness(t);
  const clients = await Promise.all(Array.from({ length: 1000 }, () => wire()));
  t.is((await ask('GET', '/_ping')).status, 200);
  t.is(clients.length, 1000);
});

test('a server refuses what it does not admit before any hook sees it', async (t) => {
  const admit = ({ path }: { path: string }) => {
    if (path !== '/_ping') throw forbidden(`${path} is not served here`);
  };
  const { ask, surface } = await harness(t, { limits: { admit } });
  let seen = 0;
  surface.use('observe', async (_ctx, next) => {
    seen++;
    await next();
  });
  t.like(await ask('GET', '/wait'), { status: 403, text: '{"message":"/wait is not served here"}\n' });
  t.is(seen, 0);
  t.is((await ask('GET', '/_ping')).status, 200);
});

test('a client that goes in the middle of a body leaves nothing open', async (t) => {
  const { ask, wire } = await harness(t);
  const client = await wire(`${head('POST /archive HTTP/1.1', chunked)}5\r\nab`);
  client.socket.destroy();
  await once(client.socket, 'close');
  t.is((await ask('GET', '/_ping')).status, 200);
});
