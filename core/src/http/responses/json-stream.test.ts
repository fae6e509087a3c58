import { once } from 'node:events';
import test from 'ava';
import { notFound, unavailable } from '../../errors/engine-error.js';
import { startHarness } from '../testing/http-harness.js';
import { jsonStream } from './json-stream.js';

test('objects leave one per line, and the stream ends with the handler', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/pull', async (ctx) => {
      const progress = jsonStream(ctx);
      await progress.write({ status: 'Pulling' });
      await progress.write('{"status":"prepared"}');
    });
    router.post('/nothing', (ctx) => void jsonStream(ctx));
  });
  const answer = await harness.ask('POST', '/pull');
  t.like(answer, { status: 200, text: '{"status":"Pulling"}\n{"status":"prepared"}\n' });
  t.is(answer.headers['content-type'], 'application/json');
  t.like(await harness.ask('POST', '/nothing'), { status: 200, text: '' });
});

test('an error before the first object has its own status', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/pull', (ctx) => {
      jsonStream(ctx);
      throw notFound('manifest unknown');
    });
  });
  t.like(await harness.ask('POST', '/pull'), { status: 404, text: '{"message":"manifest unknown"}\n' });
});

test('an error behind becomes the last object', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/pull', (ctx) => {
      void jsonStream(ctx).write({ status: 'Pulling' });
      throw notFound('manifest unknown');
    });
  });
  const answer = await harness.ask('POST', '/pull');
  t.is(answer.status, 200);
  t.is(answer.text.split('\n')[1], '{"errorDetail":{"message":"manifest unknown"},"error":"manifest unknown"}');
});

test('the head leaves before the first object when it is asked to', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/events', async (ctx) => {
      ctx.state.endless();
      jsonStream(ctx).open();
      await once(ctx.state.signal, 'abort');
    });
  });
  const wire = await harness.wire('GET /events HTTP/1.1\r\nHost: x\r\n\r\n');
  t.regex(await wire.head(), /^HTTP\/1.1 200 OK\r\n/);
  const stopped = harness.server.stop(new AbortController().signal);
  t.is(await wire.rest(), '0\r\n\r\n', 'and a stopping server ends it at once');
  await stopped;
});

test('HEAD of a stream is answered and the stream does not begin', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/events', async (ctx) => {
      jsonStream(ctx).open();
      if (!ctx.state.signal.aborted) await once(ctx.state.signal, 'abort');
    });
  });
  t.like(await harness.ask('HEAD', '/events'), { status: 200, text: '' });
});

test('a slow client makes the writer wait, and a client that leaves wakes it', async (t) => {
  let waited = 0;
  let done: (() => void) | undefined;
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  const harness = await startHarness(t, (router) => {
    router.get('/flood', async (ctx) => {
      const stream = jsonStream(ctx);
      while (!ctx.state.signal.aborted) {
        const room = stream.write({ data: 'x'.repeat(10_000) });
        if (room) {
          t.true(stream.busy);
          waited++;
          await room;
        } else {
          await new Promise(setImmediate);
        }
      }
      done?.();
    });
  });
  const wire = await harness.wire('GET /flood HTTP/1.1\r\nHost: x\r\n\r\n');
  await wire.head();
  wire.socket.pause();
  while (waited === 0) await new Promise(setImmediate);
  wire.socket.destroy();
  await finished;
  t.true(waited > 0);
});

test('clients of requests that a stop aborts get the reason', async (t) => {
  let waits: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    waits = resolve;
  });
  const harness = await startHarness(t, (router) => {
    router.post('/pull', async (ctx) => {
      const stream = jsonStream(ctx).open();
      await once(ctx.state.signal, 'abort');
      await stream.write({ status: 'cancelled' });
      throw unavailable('not for the client: it was aborted');
    });
    router.post('/wait', async (ctx) => {
      waits();
      await once(ctx.state.signal, 'abort');
      ctx.state.signal.throwIfAborted();
    });
  });
  const pull = await harness.wire('POST /pull HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  await pull.head();
  const wait = harness.ask('POST', '/wait');
  await waiting;
  const deadline = new AbortController();
  const stopped = harness.server.stop(deadline.signal);
  deadline.abort();
  t.regex(await pull.rest(), /\{"status":"cancelled"\}\n/);
  t.like(await wait, { status: 503, text: '{"message":"the engine is stopping"}\n' });
  await stopped;
});
