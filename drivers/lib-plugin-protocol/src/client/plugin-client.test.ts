import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { activate } from '../activate.js';
import { FakePlugin } from '../testing/fake-plugin.js';
import { PluginClient } from './plugin-client.js';

test('the handshake says which parts of the protocol there are', async (t) => {
  const plugin = await FakePlugin.start({ 'Plugin.Activate': () => ({ Implements: ['LogDriver', 'Other'] }) });
  t.teardown(() => plugin.stop());
  t.deepEqual(await activate(new PluginClient('p', plugin)), ['LogDriver']);
});

test('what a plugin says went wrong is told with the method', async (t) => {
  const plugin = await FakePlugin.start({
    'A.Soft': () => ({ Err: 'soft' }),
    'A.Hard': () => {
      throw new Error('hard');
    },
    'A.Text': () => Buffer.from('no JSON'),
    'A.List': () => Buffer.from('[]'),
  });
  t.teardown(() => plugin.stop());
  const client = new PluginClient('p', plugin);
  await t.throwsAsync(client.call('A.Soft'), { message: 'A.Soft: soft' });
  await t.throwsAsync(client.call('A.Hard'), { message: 'A.Hard: hard' });
  await t.throwsAsync(client.call('A.Text'), { message: 'plugin "p" answered A.Text with no JSON' });
  await t.throwsAsync(client.call('A.List'), { message: /something else than fields/ });
  await t.throwsAsync(client.call('A.Absent'), { message: /A.Absent: plugin "p" answered 404/ });
});

test('an answer that is too long is refused', async (t) => {
  const plugin = await FakePlugin.start({ 'A.Long': () => ({ text: 'x'.repeat(2000) }) });
  t.teardown(() => plugin.stop());
  const client = new PluginClient('p', plugin, { maxAnswerBytes: 1000 });
  await t.throwsAsync(client.call('A.Long'), { message: /more than 1000 bytes/ });
});

test('a plugin that says nothing costs a deadline that names it', async (t) => {
  const plugin = await FakePlugin.start({ 'A.Hang': () => new Promise(() => undefined) });
  t.teardown(() => plugin.stop());
  const client = new PluginClient('p', plugin, { timeout: 100 });
  const message = 'plugin "p" did not answer A.Hang within 0.1 s';
  await t.throwsAsync(client.call('A.Hang'), { message });
  await t.throwsAsync(client.stream('A.Hang'), { message });
  await t.throwsAsync(client.call('A.Hang', {}, { signal: AbortSignal.abort(new Error('enough')) }), {
    message: 'enough',
  });
});

test('a plugin that comes a moment later is waited for, one that stays away costs its patience once', async (t) => {
  const home = await FakePlugin.start({});
  t.teardown(() => home.stop());
  const socketPath = `${home.socketPath}.late`;
  const client = new PluginClient('p', { socketPath }, { patience: 300 });
  const message = /plugin "p" is not there to answer A.Ask/;
  const began = performance.now();
  await t.throwsAsync(client.call('A.Ask'), { message });
  const once = performance.now() - began;
  for (let time = 0; time < 10; time++) await t.throwsAsync(client.call('A.Ask'), { message });
  t.true(performance.now() - began - once < 1500, 'far less than ten times its patience');
  const patient = new PluginClient('p', { socketPath }, { patience: 5000 });
  const answer = patient.call('A.Ask');
  const late = await FakePlugin.start({ 'A.Ask': () => ({ here: true }) }, socketPath);
  t.teardown(() => late.stop());
  t.deepEqual(await answer, { here: true });
  t.deepEqual(await client.call('A.Ask'), { here: true });
});

test('streams go on without a deadline', async (t) => {
  const plugin = await FakePlugin.start({ 'A.Stream': () => Buffer.from('bytes') });
  t.teardown(() => plugin.stop());
  t.is(await text(await new PluginClient('p', plugin).stream('A.Stream')), 'bytes');
});

test('a server that speaks something else is an error that names the plugin', async (t) => {
  const home = await FakePlugin.start({});
  t.teardown(() => home.stop());
  const socketPath = `${home.socketPath}.odd`;
  const odd = createServer((socket) => socket.end('SSH-2.0-odd\r\n'));
  await new Promise<void>((resolve) => odd.listen(socketPath, resolve));
  t.teardown(() => odd.close());
  await t.throwsAsync(new PluginClient('p', { socketPath }).call('A.Ask'), {
    message: /plugin "p" cannot be asked for A.Ask/,
  });
});
