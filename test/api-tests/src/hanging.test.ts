import { dirname } from 'node:path';
import externalPlugins from '@gantry/external-plugins';
import { FakePlugin } from '@gantry/lib-plugin-protocol/testing';
import { type Answer, eventually } from '@gantry/test-engine';
import test from 'ava';
import { startApi } from './testing/start-engine.js';

/** What a request that waited for the plugin would take at least, in milliseconds: a call to it has this long. */
const deadline = 30_000;

test('no read waits for a plugin that hangs, whatever it was asked for', async (t) => {
  const never = () => new Promise(() => undefined);
  const asked = ['VolumeDriver.Create', 'VolumeDriver.List', 'VolumeDriver.Get', 'VolumeDriver.Mount'];
  const plugin = await FakePlugin.start({
    'Plugin.Activate': () => ({ Implements: ['VolumeDriver', 'NetworkDriver'] }),
    'VolumeDriver.Capabilities': () => ({ Capabilities: { Scope: 'local' } }),
    'NetworkDriver.GetCapabilities': () => ({ Scope: 'local' }),
    'NetworkDriver.CreateNetwork': never,
    ...Object.fromEntries(asked.map((method) => [method, never])),
  });
  t.teardown(() => plugin.stop());
  const api = await startApi(t, {
    use: [externalPlugins],
    plugins: {
      'external-plugins': {
        socketDirectories: [dirname(plugin.socketPath)],
        specDirectories: [],
        callTimeoutSeconds: deadline / 1000,
      },
    },
  });
  const id = await api.run({ Cmd: ['sleep'] }, 'running');
  const driver = (await api.get('/info'))
    .json<{ Plugins: { Volume: string[] } }>()
    .Plugins.Volume.find((name) => name !== 'memory');
  t.truthy(driver);
  const left: Promise<unknown>[] = [
    api.post('/volumes/create', { Name: 'hanging', Driver: driver }),
    api.post('/networks/create', { Name: 'hanging', Driver: driver }),
    api.post('/containers/create?name=hanging', {
      Image: 'busybox',
      HostConfig: { VolumeDriver: driver, Binds: ['other:/v'] },
    }),
  ];
  for (const each of left) each.catch(() => undefined); // They end with the engine.
  await eventually('the plugin is asked', () => plugin.asked('VolumeDriver.Create').length >= 2);
  await eventually('for a network, too', () => plugin.asked('NetworkDriver.CreateNetwork').length === 1);

  const now = Math.floor(Date.now() / 1000);
  const reads = [
    ...['/_ping', '/version', '/info', '/containers/json?all=1', '/containers/json?all=1&size=1', '/images/json'],
    ...[`/containers/${id}/json`, `/containers/${id}/json?size=1`, `/containers/${id}/stats?stream=0`],
    ...[`/containers/${id}/logs?stdout=1`, '/images/busybox/json', '/images/busybox/history', '/networks'],
    ...['/networks/bridge', '/volumes', `/events?since=0&until=${now}`, '/containers/hanging/json', '/volumes/hanging'],
  ];
  const took = async (read: string): Promise<readonly [string, number, Answer]> => {
    const began = performance.now();
    const answer = await api.get(read);
    return [read, performance.now() - began, answer];
  };
  for (const [read, milliseconds, answer] of await Promise.all(reads.map(took))) {
    t.true(milliseconds < deadline / 2, `${read} took ${Math.round(milliseconds)} ms`);
    t.is(answer.status, read.includes('hanging') ? 404 : 200, `${read}: ${answer.text.slice(0, 200)}`);
  }
  // After one timeout the next list does not wait for the driver again.
  const [, again, answer] = await took('/volumes');
  t.true(again < 2000, `${again} ms`);
  t.regex(String(answer.json<{ Warnings: string[] }>().Warnings), /no answer within/);
  t.is((await api.delete(`/containers/${id}?force=1`)).status, 204);
  // What hangs ends with the plugin, and the engine need not wait for it.
  await plugin.stop();
  await Promise.allSettled(left);
});
