import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { activate } from '../activate.js';
import { FakePlugin } from '../testing/fake-plugin.js';
import { PluginClient } from './plugin-client.js';

test('the handshake answers the implemented parts of the protocol', async (t) => {
  const plugin = await FakePlugin.start({ 'Plugin.Activate': () => ({ Implements: ['LogDriver', 'Other'] }) });
  t.teardown(() => plugin.stop());
  t.deepEqual(await activate(new PluginClient('p', plugin)), ['LogDriver']);
});

test('a plugin may answer the handshake with null, as may one that implements nothing', async (t) => {
  const plugin = await FakePlugin.start({ 'Plugin.Activate': () => ({ Implements: null }) });
  t.teardown(() => plugin.stop());
  const client = new PluginClient('p', plugin);
  t.deepEqual(await activate(client), []);
  plugin.methods['Plugin.Activate'] = () => Buffer.from('null');
  t.deepEqual(await activate(client), []);
  plugin.methods['Plugin.Activate'] = () => ({ Implements: 'VolumeDriver' });
  await t.throwsAsync(activate(client), { message: /did not answer a list/ });
});

test('an error names the method and what the plugin answered', async (t) => {
  const plugin = await FakePlugin.start({
    'A.Soft': () => ({ Err: 'soft' }),
    'A.Hard': () => {
      throw new Error('hard');
    },
    'A.Text': () => Buffer.from('no JSON'),
    'A.List': () => Buffer.from('[]'),
    'A.Null': () => Buffer.from('null\n'),
  });
  t.teardown(() => plugin.stop());
  const client = new PluginClient('p', plugin);
  await t.throwsAsync(client.call('A.Soft'), { message: 'A.Soft: soft' });
  await t.throwsAsync(client.call('A.Hard'), { message: 'A.Hard: hard' });
  await t.throwsAsync(client.call('A.Text'), { message: 'plugin "p" answered A.Text with no JSON' });
  await t.throwsAsync(client.call('A.List'), { message: /JSON that is no object/ });
  t.deepEqual(await client.call('A.Null'), {}, 'null is an empty answer');
  await t.throwsAsync(client.call('A.Absent'), { message: /A.Absent: plugin "p" answered 404/ });
});

test('an oversized answer is refused', async (t) => {
  const plugin = await FakePlugin.start({ 'A.Long': () => ({ text: 'x'.repeat(2000) }) });
  t.teardown(() => plugin.stop());
  const client = new PluginClient('p', plugin, { maxAnswerBytes: 1000 });
  await t.throwsAsync(client.call('A.Long'), { message: /more than 1000 bytes/ });
});

test('a call to a plugin that hangs rejects at its deadline, naming the plugin', async (t) => {
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

test('a call retries until the plugin listens, and an unreachable plugin delays only one call', async (t) => {
  const home = await FakePlugin.start({});
  t.teardown(() => home.stop());
  const socketPath = `${home.socketPath}.late`;
  const client = new PluginClient('p', { socketPath }, { connectTimeout: 300 });
  const message = /plugin "p" is unreachable for A.Ask/;
  const began = performance.now();
  await t.throwsAsync(client.call('A.Ask'), { message });
  const once = performance.now() - began;
  for (let time = 0; time < 10; time++) await t.throwsAsync(client.call('A.Ask'), { message });
  t.true(performance.now() - began - once < 1500, 'far less than ten times the timeout');
  const waiting = new PluginClient('p', { socketPath }, { connectTimeout: 5000 });
  const answer = waiting.call('A.Ask');
  const late = await FakePlugin.start({ 'A.Ask': () => ({ here: true }) }, socketPath);
  t.teardown(() => late.stop());
  t.deepEqual(await answer, { here: true });
  t.deepEqual(await client.call('A.Ask'), { here: true });
});

test('an unreachable plugin is called so, and delays only one call, where the deadline of calls is the shorter one', async (t) => {
  const home = await FakePlugin.start({});
  t.teardown(() => home.stop());
  const client = new PluginClient(
    'p',
    { socketPath: `${home.socketPath}.none` },
    { timeout: 4000, connectTimeout: 30_000 },
  );
  const message = /plugin "p" is unreachable for A.Ask: .*ENOENT/;
  await t.throwsAsync(client.call('A.Ask'), { message });
  await t.throwsAsync(client.call('A.Ask', {}, { timeout: 60_000 }), { message });
});

test('a stream has no deadline after its beginning', async (t) => {
  const plugin = await FakePlugin.start({ 'A.Stream': () => Buffer.from('bytes') });
  t.teardown(() => plugin.stop());
  t.is(await text(await new PluginClient('p', plugin).stream('A.Stream')), 'bytes');
});

test('a server of another protocol is an error that names the plugin', async (t) => {
  const home = await FakePlugin.start({});
  t.teardown(() => home.stop());
  const socketPath = `${home.socketPath}.odd`;
  const odd = createServer((socket) => socket.end('SSH-2.0-odd\r\n'));
  await new Promise<void>((resolve) => odd.listen(socketPath, resolve));
  t.teardown(() => odd.close());
  await t.throwsAsync(new PluginClient('p', { socketPath }).call('A.Ask'), {
    message: /plugin "p" failed to answer A.Ask/,
  });
});
