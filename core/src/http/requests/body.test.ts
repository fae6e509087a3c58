import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { notFound } from '../../errors/engine-error.js';
import { openBody } from '../responses/open-body.js';
import { sendJson } from '../responses/send-json.js';
import { startHarness } from '../testing/http-harness.js';
import { bodyStream, rawBody, readJson, readOptionalJson } from './body.js';

const json = { 'Content-Type': 'application/json' };
const message = (text: string): string => (JSON.parse(text) as { message: string }).message;

test('a JSON body is decoded, and its faults are named', async (t) => {
  const schema = Type.Object({ Image: Type.String(), Memory: Type.Optional(Type.Integer()) });
  const harness = await startHarness(
    t,
    (router) => {
      router.post('/create', async (ctx) => sendJson(ctx, await readJson(ctx, schema)));
      router.post('/optional', async (ctx) => sendJson(ctx, { body: (await readOptionalJson(ctx, schema)) ?? 'none' }));
    },
    { bodyLimit: 100 },
  );
  const send = async (body: string, headers: Record<string, string> = json) => {
    const { status, text } = await harness.ask('POST', '/create', { body, headers });
    return status === 200 ? (JSON.parse(text) as unknown) : `${status} ${message(text)}`;
  };
  t.deepEqual(await send('{"image":"a","Memory":null,"other":1}'), { Image: 'a' });
  t.deepEqual(await send('{"Image":"a"}', { 'Content-Type': 'Application/JSON; charset=utf-8' }), { Image: 'a' });
  t.is(await send('{"Image":"a","Memory":"abc"}'), '400 Memory: "abc" is not an integer');
  t.is(await send('{}'), '400 Image: is required');
  t.is(await send('[]'), '400 the body of the request: [] is not an object');
  t.is(await send('null'), '400 the body of the request: null is not an object');
  t.is(await send(''), '400 the body of the request is empty');
  t.regex(String(await send('{"Image":')), /^400 the body of the request is not JSON: /);
  t.is(
    await send('{}', { 'Content-Type': 'text/plain' }),
    "400 Content-Type specified (text/plain) must be 'application/json'",
  );
  t.is(await send('{}', {}), "400 Content-Type specified () must be 'application/json'");
  t.is(
    await send(`{"Image":"${'x'.repeat(100)}"}`),
    '400 the body of the request is larger than the limit of 100 bytes',
  );
  t.is((await harness.ask('POST', '/optional')).text, '{"body":"none"}\n');
});

test('a chunked body is limited while it arrives, and the connection ends behind the answer', async (t) => {
  const harness = await startHarness(t, (router) => void router.post('/x', async (ctx) => void (await rawBody(ctx))), {
    bodyLimit: 10,
  });
  const wire = await harness.wire('POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n');
  wire.write('01234567890123456789');
  const head = await wire.head();
  t.regex(head, /^HTTP\/1.1 400 /);
  t.regex(head, /Connection: close/);
});

test('bodies nest only so deep', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/x', async (ctx) => sendJson(ctx, await readJson(ctx, Type.Object({ a: Type.Unknown() }))));
  });
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  t.is((await harness.ask('POST', '/x', { headers: json, body: nested(200) })).status, 200);
  t.is((await harness.ask('POST', '/x', { headers: json, body: nested(201) })).status, 400);
  t.is((await harness.ask('POST', '/x', { headers: json, body: nested(100_000) })).status, 400);
  t.is((await harness.ask('POST', '/x', { headers: json, body: `{"a":"${'['.repeat(300)}\\"["}` })).status, 200);
});

test('an archive streams in and out', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.put('/archive', (ctx) => {
      ctx.type = 'application/x-tar';
      ctx.body = bodyStream(ctx);
    });
    router.get('/unreadable', (ctx) => {
      ctx.type = 'application/x-tar';
      ctx.body = new Readable({
        read() {
          this.destroy(notFound('Could not find the file /x in container y'));
        },
      });
    });
    router.get('/destroyed', (ctx) => {
      ctx.body = new Readable({
        read() {
          this.destroy();
        },
      });
    });
    router.get('/empty', (ctx) => {
      ctx.body = Readable.from([]);
    });
    router.get('/cut', (ctx) => {
      ctx.body = Readable.from(
        (async function* () {
          yield 'begun';
          throw new Error('the disk has gone');
        })(),
      );
    });
  });
  const body = Buffer.alloc(3_000_000, 'tar');
  const answer = await harness.ask('PUT', '/archive', { body });
  t.is(answer.text, body.toString());
  t.like(await harness.ask('GET', '/unreadable'), {
    status: 404,
    text: '{"message":"Could not find the file /x in container y"}\n',
  });
  await t.throwsAsync(harness.ask('GET', '/destroyed'));
  t.like(await harness.ask('GET', '/empty'), { status: 200, text: '' });
  await t.throwsAsync(harness.ask('GET', '/cut'), undefined, 'a part is not taken for the whole');
});

test('what is wrong with an archive is answered, however much of it is still to come', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.put('/archive', async (ctx) => {
      const body = bodyStream(ctx);
      await once(body, 'readable');
      body.destroy();
      throw notFound('Could not find the file /x in container y');
    });
  });
  const text = '{"message":"Could not find the file /x in container y"}\n';
  t.like(await harness.ask('PUT', '/archive', { body: 'short' }), { status: 404, text });
  t.like(await harness.ask('PUT', '/archive', { body: Buffer.alloc(3_000_000) }), { status: 404, text });
});

test('a client that is still sending reads its answer before the connection ends', async (t) => {
  const harness = await startHarness(
    t,
    (router) => void router.put('/early', () => Promise.reject(notFound('no such thing'))),
  );
  const wire = await harness.wire(
    'PUT /early HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n',
  );
  const failures: Error[] = [];
  wire.socket.on('error', (error) => failures.push(error));
  t.regex(await wire.rest(), /^HTTP\/1.1 404 .*no such thing/s);
  await new Promise((resolve) => wire.socket.write(Buffer.alloc(1_000_000), resolve));
  t.deepEqual(failures, [], 'the answer ends, and what is sent is still taken');
  wire.socket.destroy();
});

test('an archive whose client goes away ends with an error', async (t) => {
  let fail: (error: Error) => void = () => undefined;
  const failure = new Promise<Error>((resolve) => {
    fail = resolve;
  });
  const harness = await startHarness(t, (router) => {
    router.put('/archive', (ctx) =>
      pipeline(bodyStream(ctx), new Writable({ write: (_bytes, _encoding, done) => done() })).catch(fail),
    );
  });
  const wire = await harness.wire('PUT /archive HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\npart');
  wire.socket.destroy();
  t.regex((await failure).message, /aborted/);
});

test('an archive whose client disconnects before it is read does not end the daemon', async (t) => {
  let fail: (error: Error) => void = () => undefined;
  const failure = new Promise<Error>((resolve) => {
    fail = resolve;
  });
  const harness = await startHarness(t, (router) => {
    router.put('/archive', async (ctx) => {
      const body = bodyStream(ctx);
      if (!ctx.req.destroyed) await new Promise((resolve) => ctx.req.once('close', resolve));
      await pipeline(body, new Writable({ write: (_bytes, _encoding, done) => done() })).catch(fail);
    });
  });
  const wire = await harness.wire('PUT /archive HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\npart');
  wire.socket.destroy();
  t.true((await failure) instanceof Error);
});

test('a body that is opened sends its head at once', async (t) => {
  let write: ((text: string) => void) | undefined;
  const harness = await startHarness(t, (router) => {
    router.get('/logs', async (ctx) => {
      const response = openBody(ctx, { contentType: 'application/x-frames' });
      await new Promise<void>((resolve) => {
        write = (text) => {
          response.write(text);
          resolve();
        };
      });
    });
    router.get('/broken', async (ctx) => {
      openBody(ctx, { contentType: 'application/x-frames' }).write('part');
      throw notFound('too late');
    });
  });
  const wire = await harness.wire('GET /logs HTTP/1.1\r\nHost: x\r\n\r\n');
  t.regex(await wire.head(), /^HTTP\/1.1 200 OK\r\nContent-Type: application\/x-frames\r\n/);
  write?.('line');
  t.is(await wire.until('0\r\n\r\n'), '4\r\nline\r\n0\r\n\r\n');
  await t.throwsAsync(harness.ask('GET', '/broken'));
});
