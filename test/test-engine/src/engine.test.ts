import { type PluginDefinition, servicePoint } from '@gantry/core';
import { EngineServer, hijack, jsonStream, readJson, Surface, sendJson } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import { startEngine } from './engine.js';
import { eventually } from './eventually.js';

/** The smallest thing that listens where the kernel's configuration says. */
const echo: PluginDefinition = {
  id: 'engine-api',
  provides: [servicePoint('echo')],
  configSchema: Type.Object({ hosts: Type.Array(Type.String()) }),
  async setup({ config, events, lifetime }) {
    const [host = ''] = (config as { hosts: string[] }).hosts;
    const surface = new Surface({ name: 'echo' });
    surface.routes('echo', (router) => {
      router.post('/echo', async (ctx) => {
        events.publish({ type: 'daemon', action: 'echo', actor: { id: 'me', attributes: {} } });
        sendJson(ctx, await readJson(ctx, Type.Record(Type.String(), Type.Unknown())), 201);
      });
      router.get('/count', async (ctx) => {
        const stream = jsonStream(ctx);
        for (const number of [1, 2]) await stream.write({ number });
      });
      router.post('/raw', async (ctx) => {
        const { socket } = await hijack(ctx, { contentType: 'text/plain' });
        for await (const chunk of socket) socket.write(chunk);
      });
    });
    const server = await EngineServer.start(surface, {
      kind: 'unix',
      path: host.slice('unix://'.length),
      mode: 0o600,
    });
    lifetime.add(() => server.stop(AbortSignal.abort()));
  },
};

test('a body goes out and an answer comes back as JSON', async (t) => {
  const engine = await startEngine(t, [echo]);
  const answer = await engine.ask('POST', '/echo', { body: { a: 1 } });
  t.is(answer.status, 201);
  t.deepEqual(answer.json(), { a: 1 });
  t.deepEqual(engine.eventSummaries(), ['daemon echo me']);
});

test('a stream of objects is read line by line', async (t) => {
  const engine = await startEngine(t, [echo]);
  t.deepEqual((await engine.ask('GET', '/count')).lines(), [{ number: 1 }, { number: 2 }]);
});

test('a hijacked connection carries bytes both ways, and a refused one rejects with the words', async (t) => {
  const engine = await startEngine(t, [echo]);
  const socket = await engine.hijack('POST', '/raw');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.end('hello');
  await eventually('the echo', () => heard === 'hello');
  await t.throwsAsync(engine.hijack('POST', '/absent'), { message: /^404: .*page not found/ });
});

test('a restarted engine has the same address, and keeps recording events', async (t) => {
  const engine = await startEngine(t, [echo]);
  await engine.ask('POST', '/echo', { body: {} });
  const before = engine.kernel;
  await engine.restart();
  t.not(engine.kernel, before);
  await engine.ask('POST', '/echo', { body: {} });
  t.is(engine.eventSummaries().length, 2);
});
