import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FakePlugin } from '@gantry/lib-plugin-protocol/testing';
import {
  eventually,
  managerDrivers,
  runningTasks,
  type SwarmNode,
  startSwarmOf,
  untilManagers,
} from '@gantry/test-nodes';
import test from 'ava';
import type Docker from 'dockerode';
import { runIn, startContainer } from './testing/run-in.js';
import { sharedVolumePlugin, startNodesWithPlugins, vxlanPlugin } from './testing/swarm-plugins.js';

/** The nodes that a plugin knows from what it was sent: addresses, the own one first. */
function knownTo(plugin: FakePlugin): readonly string[] {
  const known = new Map<string, boolean>();
  for (const { body, method } of plugin.calls) {
    const { Address, Self } = (body.DiscoveryData ?? {}) as { readonly Address: string; readonly Self: boolean };
    if (method === 'NetworkDriver.DiscoverNew') known.set(Address, Self);
    if (method === 'NetworkDriver.DiscoverDelete') known.delete(Address);
  }
  const others = [...known].filter(([, isSelf]) => !isSelf).map(([address]) => address);
  return [...[...known].flatMap(([address, isSelf]) => (isSelf ? [`self ${address}`] : [])), ...others.sort()];
}

const knows = (plugin: () => FakePlugin, expected: readonly string[]) =>
  eventually(`a plugin that knows ${expected.join()}`, async () => knownTo(plugin()).join() === expected.join());

test.serial(
  'a network of a plugin with global scope connects containers of all nodes, which are announced to the plugin',
  async (t) => {
    t.timeout(300_000); // three engines start
    const { nodes, plugins } = await startNodesWithPlugins(t, 3, 'vx', vxlanPlugin, { drivers: managerDrivers });
    const [first, second, third] = nodes as [SwarmNode, SwarmNode, SwarmNode];
    const [one, two, three] = nodes.map(({ address }) => address) as [string, string, string];
    const [ofFirst, ofSecond, ofThird] = plugins.map((plugin) => () => plugin.present) as [
      () => FakePlugin,
      () => FakePlugin,
      () => FakePlugin,
    ];
    await startSwarmOf(nodes, 2);
    await untilManagers('two managers', second, (shown) => Object.keys(shown).length === 2);
    await knows(ofFirst, [`self ${one}`, two, three]);
    await knows(ofSecond, [`self ${two}`, one, three]);
    await knows(ofThird, [`self ${three}`, one, two]);
    t.deepEqual(ofThird().asked('NetworkDriver.DiscoverNew')[0], {
      DiscoveryType: 1,
      DiscoveryData: { Address: three, BindAddress: three, Self: true },
    });

    // Through the manager that does not lead: the leader's plugin allocates it.
    const created = await second.client.createNetwork({
      Name: 'wide',
      Driver: 'vx',
      Attachable: true,
      Options: { color: 'blue' },
    });
    const allocated = ofFirst().asked('NetworkDriver.AllocateNetwork');
    t.is(allocated.length, 1);
    t.like(allocated[0], { NetworkID: created.id, Options: { color: 'blue' } });
    t.deepEqual(ofSecond().asked('NetworkDriver.AllocateNetwork'), []);
    t.like(await second.client.getNetwork('wide').inspect(), {
      Scope: 'swarm',
      Driver: 'vx',
      Options: { number: '77', color: 'blue' },
    });
    t.deepEqual(ofThird().asked('NetworkDriver.CreateNetwork'), [], 'nothing runs there yet');

    const service = await first.client.createService({
      Name: 'web',
      TaskTemplate: {
        ContainerSpec: { Image: 'busybox', Command: ['sleep', '30000'], StopGracePeriod: 100e6 },
        Networks: [{ Target: 'wide' }],
        RestartPolicy: { Delay: 0 },
      },
      Mode: { Global: {} },
    } as Docker.CreateServiceOptions);
    await runningTasks(first, 3);
    for (const plugin of [ofFirst, ofSecond, ofThird]) {
      const [network] = plugin().asked('NetworkDriver.CreateNetwork');
      t.like(network, {
        NetworkID: created.id,
        Options: { 'com.docker.network.generic': { number: '77', color: 'blue' } },
      });
    }
    const there = await startContainer(third.client, { name: 'there', HostConfig: { NetworkMode: 'wide' } });
    const here = await startContainer(first.client, { name: 'here', HostConfig: { NetworkMode: 'wide' } });
    for (const [from, to] of [
      [here, 'there'],
      [there, 'here'],
      [there, 'web'],
    ] as const) {
      await eventually(`an answer of ${to}`, async () => (await runIn(from, `ping -c 1 -W 2 ${to}`)).code === 0);
    }

    // The plugin of a daemon that restarts, and one that restarts itself, are sent the nodes again.
    const before = ofSecond().calls.length;
    await second.daemon.restart();
    await eventually('the nodes again', async () => {
      const later = ofSecond().calls.slice(before);
      return later.filter(({ method }) => method === 'NetworkDriver.DiscoverNew').length >= 3;
    });
    await knows(ofSecond, [`self ${two}`, one, three]);
    await here.remove({ force: true });
    await there.remove({ force: true });
    await service.remove();
    for (const plugin of [ofFirst, ofSecond, ofThird]) {
      await eventually(
        'the network is deleted',
        async () => plugin().asked('NetworkDriver.DeleteNetwork').length === 1,
      );
    }
    await plugins[0]?.restart();
    await knows(ofFirst, [`self ${one}`, two, three]);

    // While the daemon is down, a node leaves: the plugin knew it.
    await second.daemon.crash();
    await third.client.swarmLeave({});
    await knows(ofThird, []);
    await second.daemon.restart();
    await knows(ofFirst, [`self ${one}`, two]);
    await knows(ofSecond, [`self ${two}`, one]);
    await eventually('the leader', async () =>
      first.client
        .getNetwork('wide')
        .remove()
        .then(
          () => true,
          () => false,
        ),
    );
    t.deepEqual(ofFirst().asked('NetworkDriver.FreeNetwork'), [{ NetworkID: created.id }]);
  },
);

test.serial(
  'a volume of global scope that tasks of two nodes name is created once, and listed once by each',
  async (t) => {
    t.timeout(300_000); // two engines start
    const directory = await mkdtemp(path.join(tmpdir(), 'gantry-shared-'));
    t.teardown(() => rm(directory, { recursive: true, force: true }));
    const { nodes, plugins } = await startNodesWithPlugins(t, 2, 'share', sharedVolumePlugin(directory));
    const [manager] = nodes as [SwarmNode];
    await startSwarmOf(nodes, 1);
    const spec = (command: string) => ({
      Name: 'writers',
      TaskTemplate: {
        ContainerSpec: {
          Image: 'busybox',
          Command: ['sh', '-c', command],
          StopGracePeriod: 100e6,
          Mounts: [
            { Type: 'volume', Source: 'data', Target: '/data', VolumeOptions: { DriverConfig: { Name: 'share' } } },
          ],
        },
        RestartPolicy: { Delay: 0 },
      },
    });
    // One after the other: two that start at once find none, and both create it, as the protocol has it.
    const command = 'cat /etc/hostname >> /data/names; sleep 30000';
    const service = await manager.client.createService({
      ...spec(command),
      Mode: { Replicated: { Replicas: 1 } },
    } as Docker.CreateServiceOptions);
    await runningTasks(manager, 1);
    const { Spec, Version } = (await service.inspect()) as { Spec: object; Version: { Index: number } };
    await service.update({ ...Spec, version: Version.Index, Mode: { Replicated: { Replicas: 2 } } });
    const tasks = await runningTasks(manager, 2);
    t.is(new Set(tasks.map(({ NodeID }) => NodeID)).size, 2);
    const created = plugins.flatMap(({ present }) => present.asked('VolumeDriver.Create'));
    t.deepEqual(created, [{ Name: 'data', Opts: {} }]);
    await eventually('a line of each task', async () => {
      const text = await readFile(path.join(directory, 'data', 'names'), 'utf8');
      return text.trim().split('\n').length === 2;
    });
    await manager.client.createVolume({ Name: 'other', Driver: 'share' });
    for (const { client } of nodes) {
      const { Volumes } = await client.listVolumes();
      const shown = Volumes.filter(({ Driver }) => Driver === 'share').map(({ Name, Scope }) => [Name, Scope]);
      t.deepEqual(shown, [
        ['data', 'global'],
        ['other', 'global'],
      ]);
    }
    t.like(await nodes[1]?.client.getVolume('other').inspect(), { Name: 'other', Driver: 'share', Scope: 'global' });
  },
);
