import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { PluginClient } from '../client/plugin-client.js';
import { FakePlugin } from '../testing/fake-plugin.js';
import { RemoteIpam } from './remote-ipam.js';

/** An address manager that refuses what it has given out. */
async function start(t: ExecutionContext, RequiresRequestReplay: boolean) {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-ipam-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const taken = new Set<unknown>();
  const take = (what: unknown): void => {
    if (taken.has(what) && !RequiresRequestReplay) throw new Error(`${what} is in use already`);
    taken.add(what);
  };
  const plugin = await FakePlugin.start({
    'IpamDriver.GetCapabilities': () => ({ RequiresRequestReplay }),
    'IpamDriver.GetDefaultAddressSpaces': () => ({ LocalDefaultAddressSpace: 'here' }),
    'IpamDriver.RequestPool': ({ Pool }) => {
      take(Pool);
      return { PoolID: `id of ${Pool}`, Pool };
    },
    'IpamDriver.RequestAddress': ({ Address }) => {
      take(Address);
      return { Address: `${Address}/24` };
    },
    'IpamDriver.ReleaseAddress': ({ Address }) => void taken.delete(Address),
    'IpamDriver.ReleasePool': ({ PoolID }) => void taken.delete(String(PoolID).slice('id of '.length)),
  });
  t.teardown(() => plugin.stop());
  const open = async () => {
    const ipam = new RemoteIpam(new PluginClient('p', plugin), path.join(directory, 'sub/p.json'));
    await ipam.loadCapabilities();
    return ipam;
  };
  return { plugin, open };
}

const subnet = '10.7.0.0/24';
const pool = { id: `id of ${subnet}`, subnet };

test('allocations of a plugin that keeps its state are answered from the file after a restart', async (t) => {
  const { open, plugin } = await start(t, false);
  const first = await open();
  t.deepEqual(await first.requestPool({ subnet, ipv6: false }), pool);
  await first.requestAddress(pool.id, { preferred: '10.7.0.2' });
  await first.requestAddress(pool.id, { preferred: '10.7.0.3' });
  await first.releaseAddress(pool.id, '10.7.0.3');
  const second = await open();
  t.deepEqual(await second.requestPool({ subnet, ipv6: false }), pool);
  t.is(second.uses.length, 1);
  t.is(await second.requestAddress(pool.id, { preferred: '10.7.0.2' }), '10.7.0.2/24');
  t.is(plugin.asked('IpamDriver.RequestPool').length, 1);
  t.is(plugin.asked('IpamDriver.RequestAddress').length, 2);
  // Once only: the next request is for another pool.
  await t.throwsAsync(second.requestAddress(pool.id, { preferred: '10.7.0.2' }), { message: 'Address already in use' });
  await t.throwsAsync(second.requestPool({ subnet, ipv6: false }), { message: /in use already/ });
  t.is(await second.requestAddress(pool.id, { preferred: '10.7.0.3' }), '10.7.0.3/24');
  await second.releasePool(pool.id);
  t.is((await open()).uses.length, 0);
  t.deepEqual(await (await open()).requestPool({ subnet, ipv6: false }), pool);
  t.is(plugin.asked('IpamDriver.RequestPool').length, 3);
});

test('a plugin that requires a replay gets all requests again after a restart', async (t) => {
  const { open, plugin } = await start(t, true);
  for (const _ of [1, 2]) {
    const ipam = await open();
    await ipam.requestPool({ subnet, ipv6: false });
    t.is(await ipam.requestAddress(pool.id, { preferred: '10.7.0.2' }), '10.7.0.2/24');
  }
  t.is(plugin.asked('IpamDriver.RequestPool').length, 2);
  t.is(plugin.asked('IpamDriver.RequestAddress').length, 2);
});
