import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { conflict, notFound } from '../../errors/engine-error.js';
import type { Exchange } from '../exchange/exchange.js';
import { readJson } from '../requests/body.js';
import type { Router } from '../routing/router.js';
import { startHarness } from '../testing/http-harness.js';
import { hijack } from './hijack.js';
import type { RawConnection } from './raw-output.js';

const contentType = 'application/vnd.engine.raw-stream';
const upgrade = 'Connection: Upgrade\r\nUpgrade: tcp\r\n';
const post = (target: string, headers = '', body = '') =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const forms = { 'with Upgrade': upgrade, 'without Upgrade': '' };

/** Collects the input to its end, then answers with it: only works when both directions end for themselves. */
async function shout({ socket }: RawConnection): Promise<void> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) text += String(chunk);
  socket.write(text.toUpperCase());
}

const routes = (router: Router): void => {
  router.post('/shout', async (ctx) => shout(await hijack(ctx, { contentType })));
  router.post('/echo', async (ctx) => {
    const { socket } = await hijack(ctx, { contentType });
    await pipeline(socket, socket, { end: false });
  });
  router.post('/exec', async (ctx) => {
    const { word } = await readJson(ctx, Type.Object({ word: Type.String() }));
    const connection = await hijack(ctx, { contentType });
    connection.socket.write(`${word}:`);
    await shout(connection);
  });
  router.post('/say/:text', async (ctx) => {
    const { socket } = await hijack(ctx, { contentType });
    socket.write(ctx.params.text);
  });
  router.post('/absent', () => {
    throw notFound('No such container: absent');
  });
  router.post('/throws', async (ctx) => {
    const { socket } = await hijack(ctx, { contentType });
    socket.write('begun');
    throw conflict('too late');
  });
};

test('a client that asks for an upgrade is answered 101 with its headers repeated', async (t) => {
  const harness = await startHarness(t, routes, { headers: { 'Api-Version': '1.24' } });
  const wire = await harness.wire(post('/say/hi', upgrade));
  const head = await wire.head();
  t.is(
    head,
    `HTTP/1.1 101 UPGRADED\r\nApi-Version: 1.24\r\nContent-Type: ${contentType}\r\n` +
      'Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
  );
  t.is(await wire.rest(), 'hi');
});

test('a client that does not is answered 200 and the connection ends with the stream', async (t) => {
  const harness = await startHarness(t, routes);
  const wire = await harness.wire(post('/say/hi'));
  t.is(await wire.head(), `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nConnection: close\r\n\r\n`);
  t.is(await wire.rest(), 'hi');
});

for (const [form, headers] of Object.entries(forms)) {
  test(`${form}: the client's end of input leaves the output open`, async (t) => {
    const harness = await startHarness(t, routes);
    const wire = await harness.wire(post('/shout', headers));
    await wire.head();
    wire.write('abc');
    wire.socket.end('def');
    t.is(await wire.rest(), 'ABCDEF');
  });

  test(`${form}: input that looks like a request is raw input`, async (t) => {
    const harness = await startHarness(t, routes);
    const wire = await harness.wire(post('/echo', headers));
    await wire.head();
    const input = 'GET /say/no HTTP/1.1\r\nHost: x\r\n\r\n\0\xff';
    wire.write(input);
    t.is(await wire.take(input.length), input);
    wire.socket.end();
    t.is(await wire.rest(), '');
  });

  test(`${form}: a JSON body is read before the connection is taken`, async (t) => {
    const harness = await startHarness(t, routes);
    const wire = await harness.wire(post('/exec', `${headers}Content-Type: application/json\r\n`, '{"word":"go"}'));
    await wire.head();
    wire.socket.end('x');
    t.is(await wire.rest(), 'go:X');
  });

  test(`${form}: a chunked body is read, too, in pieces`, async (t) => {
    const harness = await startHarness(t, routes);
    const wire = await harness.wire(
      `POST /exec HTTP/1.1\r\nHost: x\r\n${headers}Content-Type: application/json\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n4\r\n{"wo\r',
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    wire.write('\n9;x=y\r\nrd":"go"}\r\n0\r\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
    wire.write('Trailer: t\r\n\r\n');
    await wire.head();
    wire.socket.end('x');
    t.is(await wire.rest(), 'go:X');
  });

  test(`${form}: an error before is answered as usual`, async (t) => {
    const harness = await startHarness(t, routes);
    const wire = await harness.wire(post('/absent', headers));
    const head = await wire.head();
    t.regex(head, /^HTTP\/1.1 404 Not Found\r\n/);
    t.is(await wire.until('}\n'), '{"message":"No such container: absent"}\n');
    if (headers === '') wire.socket.end();
    t.is(await wire.rest(), '');
  });

  test(`${form}: an error behind ends the connection with what was written`, async (t) => {
    const harness = await startHarness(t, routes);
    const wire = await harness.wire(post('/throws', headers));
    await wire.head();
    t.is(await wire.rest(), 'begun');
  });

  test(`${form}: a client that leaves aborts the signal`, async (t) => {
    let aborted: Promise<unknown> | undefined;
    const harness = await startHarness(t, (router) => {
      router.post('/wait', async (ctx) => {
        const { socket } = await hijack(ctx, { contentType });
        socket.resume();
        aborted = once(ctx.state.signal, 'abort');
        socket.write('ready');
        await aborted;
      });
    });
    const wire = await harness.wire(post('/wait', headers));
    await wire.until('ready');
    wire.socket.destroy();
    await aborted;
    t.pass();
  });

  test(`${form}: a large stream arrives whole both ways`, async (t) => {
    const harness = await startHarness(t, routes);
    const wire = await harness.wire(post('/shout', headers));
    await wire.head();
    wire.socket.end('x'.repeat(3_000_000));
    t.is(await wire.rest(), 'X'.repeat(3_000_000));
  });
}

test('input right behind the body of an upgrade comes first from the socket', async (t) => {
  const harness = await startHarness(t, routes);
  const json = `${upgrade}Content-Type: application/json\r\n`;
  const wire = await harness.wire(`${post('/exec', json, '{"word":"go"}')}early `);
  await wire.head();
  wire.socket.end('late');
  t.is(await wire.rest(), 'go:EARLY LATE');
});

test('an unread body is skipped', async (t) => {
  const harness = await startHarness(t, routes);
  for (const headers of Object.values(forms)) {
    const wire = await harness.wire(post('/shout', headers, 'ignored'));
    await wire.head();
    wire.socket.end('x');
    t.is(await wire.rest(), 'X');
  }
});

test('a connection can be hijacked after ordinary requests on it', async (t) => {
  const harness = await startHarness(t, (router) => {
    routes(router);
    router.get('/_ping', (ctx) => {
      ctx.body = 'OK';
    });
  });
  const wire = await harness.wire('GET /_ping HTTP/1.1\r\nHost: x\r\n\r\n');
  await wire.head();
  t.is(await wire.take(2), 'OK');
  wire.write(post('/echo'));
  await wire.head();
  wire.write('ping');
  t.is(await wire.take(4), 'ping');
});

test('another protocol than tcp gets the 200 form', async (t) => {
  const harness = await startHarness(t, routes);
  const wire = await harness.wire(post('/say/hi', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'));
  t.regex(await wire.head(), /^HTTP\/1.1 200 OK\r\n/);
  t.is(await wire.rest(), 'hi');
});

test('hooks see and change the head of a raw stream', async (t) => {
  const harness = await startHarness(t, routes);
  harness.surface.use('translate', async (ctx, next) => {
    ctx.state.onHead((response) => response.setHeader('Content-Type', 'application/vnd.docker.raw-stream'));
    await next();
  });
  t.regex(
    await (await harness.wire(post('/say/hi', upgrade))).head(),
    /Content-Type: application\/vnd.docker.raw-stream/,
  );
});

test('a client that ended its input and then leaves is noticed though nothing is written', async (t) => {
  let state: Exchange | undefined;
  const harness = await startHarness(t, (router) => {
    router.post('/wait', async (ctx) => {
      const { socket } = await hijack(ctx, { contentType });
      socket.resume();
      state = ctx.state;
      socket.write('ready');
      await once(ctx.state.signal, 'abort');
    });
  });
  const wire = await harness.wire(post('/wait', upgrade));
  await wire.until('ready');
  wire.socket.end();
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.falsy(state?.aborted);
  wire.socket.destroy();
  await once(state!.signal, 'abort');
  t.truthy(state?.aborted);
});

test('a stopping server ends raw connections at once', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/wait', async (ctx) => {
      const { socket } = await hijack(ctx, { contentType });
      socket.write('ready');
      await once(ctx.state.signal, 'abort');
      socket.write('bye');
    });
  });
  const wire = await harness.wire(post('/wait', upgrade));
  await wire.until('ready');
  const stopped = harness.server.stop(new AbortController().signal);
  t.is(await wire.rest(), 'bye');
  wire.socket.end();
  await stopped;
});
