import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  eventually,
  type ListedNode,
  leaderOf,
  managerDrivers,
  nodesOf,
  otherClock,
  running,
  runningTasks,
  type SwarmNode,
  startManagers,
  startNodes,
  startSwarm,
  startSwarmOf,
  untilManagers,
} from '@gantry/test-nodes';
import test from 'ava';
import type Docker from 'dockerode';
import { askNewest } from './testing/ask-newest.js';

interface SwarmDetails {
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly CAConfig: object; readonly EncryptionConfig: object };
  readonly JoinTokens: { readonly Worker: string; readonly Manager: string };
}

const inspect = async ({ client }: SwarmNode) => (await client.swarmInspect()) as SwarmDetails;

async function join(through: SwarmNode, node: SwarmNode, role: 'Worker' | 'Manager', address = through.address) {
  const { JoinTokens: tokens } = await inspect(through);
  await node.client.swarmJoin({
    RemoteAddrs: [`${address}:2377`],
    AdvertiseAddr: node.address,
    JoinToken: tokens[role],
  });
}

const stateOf = async ({ client }: SwarmNode): Promise<string> =>
  ((await client.info()) as { readonly Swarm: { readonly LocalNodeState: string } }).Swarm.LocalNodeState;

/** Sleeping tasks, which a node adopts when its engine is back. */
const createService = ({ client }: SwarmNode, replicas: number): Promise<Docker.Service> =>
  client.createService({
    Name: 'web',
    TaskTemplate: {
      ContainerSpec: { Image: 'busybox', Command: ['sleep', '30000'], StopGracePeriod: 100e6 },
      RestartPolicy: { Delay: 0 },
    },
    Mode: { Replicated: { Replicas: replicas } },
  } as Docker.CreateServiceOptions);

/** As it is on the disk of a manager; undefined while it is in the clear. */
async function sealedKeyOf({ daemon }: SwarmNode): Promise<string | undefined> {
  const text = await readFile(path.join(daemon.directory, 'data/plugins/cluster/member.json'), 'utf8');
  return (JSON.parse(text) as { readonly key: { readonly sealedKey?: string } }).key.sealedKey;
}

const promotions = ({ daemon }: SwarmNode): number => daemon.log().split('swarm.member-promoted').length - 1;

test.serial(
  'the second manager may be lost, with the third each may, and one of them goes on alone elsewhere',
  async (t) => {
    t.timeout(400_000); // four engines start
    const engines = await startNodes(t, 4, () => ({ drivers: managerDrivers }));
    const [first, second, third, worker] = engines as [SwarmNode, SwarmNode, SwarmNode, SwarmNode];
    await startSwarmOf([first, second], 2);
    await untilManagers('two managers', first, (shown) => shown[second.address] === 'reachable');
    await second.kill(); // of two voters it would be the majority
    await first.client.createNetwork({ Name: 'meanwhile', Driver: 'overlay', Attachable: true });
    t.is(promotions(first), 0);
    await second.daemon.restart();
    await untilManagers('it is back', first, (shown) => shown[second.address] === 'reachable');

    await join(first, third, 'Manager');
    await join(first, worker, 'Worker');
    await eventually('three voters', async () => promotions(first) === 2);
    await createService(first, 4);
    await runningTasks(first, 4);
    await first.kill();
    await untilManagers('another leader', second, (shown) =>
      [second, third].some((each) => shown[each.address] === 'leader'),
    );
    t.true((await third.client.listNetworks()).some(({ Name }) => Name === 'meanwhile'));

    await second.kill();
    await eventually('there is no leader', async () =>
      third.client.listNodes().then(
        () => false,
        ({ statusCode }: { readonly statusCode?: number }) => statusCode === 503,
      ),
    );
    const address = '10.98.0.60';
    await third.readdress(address);
    const force = { ForceNewCluster: true, ListenAddr: '0.0.0.0:2377', AdvertiseAddr: address };
    await third.client.swarmInit(force);
    const alone = { [address]: 'leader' };
    await untilManagers('it leads alone, at its address', third, (shown) => isDeepStrictEqual(shown, alone));
    t.is(await stateOf(third), 'active');
    t.true((await third.client.listNetworks()).some(({ Name }) => Name === 'meanwhile'));
    await worker.client.swarmLeave({}); // none of the addresses that it knows is that of a manager any more
    await join(third, worker, 'Worker', address);
    await runningTasks(third, 4);

    // Those that were lost have no part of it.
    await second.daemon.restart();
    await second.client.swarmLeave({ force: true });
    await join(third, second, 'Manager', address);
    await untilManagers('a second manager', third, (shown) => shown[second.address] === 'reachable');
    await first.daemon.restart();
    await first.client.swarmLeave({ force: true });
    const listed = (await third.client.listNodes()) as unknown as readonly ListedNode[];
    t.is(listed.filter(({ ManagerStatus }) => ManagerStatus !== undefined).length, 2);
  },
);

test.serial(
  'managers that lock themselves are opened with the key, and with the one that they had heard of last',
  async (t) => {
    t.timeout(400_000); // four engines start
    const { managers, workers } = await startManagers(t, 3, 1);
    const [first, second, third] = managers as [SwarmNode, SwarmNode, SwarmNode];
    const [worker] = workers as [SwarmNode];
    await createService(first, 4);
    await runningTasks(first, 4);
    const keyOf = async ({ daemon }: SwarmNode) =>
      (JSON.parse((await askNewest(daemon, 'GET', '/swarm/unlockkey'))[1]) as { readonly UnlockKey: string }).UnlockKey;
    const update = async (query: string) => {
      const { Spec, Version } = await inspect(first);
      const spec = { ...Spec, EncryptionConfig: { AutoLockManagers: true } };
      const [status, text] = await askNewest(
        first.daemon,
        'POST',
        `/swarm/update?version=${Version.Index}${query}`,
        spec,
      );
      t.is(status, 200, text);
    };
    const unlock = async ({ daemon }: SwarmNode, UnlockKey: string) => {
      const [status, text] = await askNewest(daemon, 'POST', '/swarm/unlock', { UnlockKey });
      if (status !== 200) throw new Error(text);
    };
    const isLocked = async (node: SwarmNode) => {
      await node.daemon.restart();
      t.is(await stateOf(node), 'locked');
      const [status, text] = await askNewest(node.daemon, 'GET', '/swarm');
      t.is(status, 503);
      t.regex(text, /needs to be unlocked/);
    };
    await update('');
    const key = await keyOf(second);
    t.regex(key, /^SWMKEY-1-/);
    for (const manager of managers) {
      await eventually('its keys are sealed', async () => (await sealedKeyOf(manager)) !== undefined);
    }
    await isLocked(third);
    await t.throwsAsync(unlock(third, `SWMKEY-1-${'A'.repeat(43)}`), { message: /invalid key/ });
    await unlock(third, key);
    await untilManagers('it is back', first, (shown) => shown[third.address] === 'reachable');

    await third.daemon.crash();
    const sealed = await sealedKeyOf(third);
    await update('&rotateManagerUnlockKey=1');
    const rotated = await keyOf(first);
    t.not(rotated, key);
    await isLocked(third); // it has not heard of the other key
    await t.throwsAsync(unlock(third, rotated), { message: /invalid key/ });
    await unlock(third, key);
    await untilManagers('it is back', first, (shown) => shown[third.address] === 'reachable');
    await eventually('its keys are sealed anew', async () => (await sealedKeyOf(third)) !== sealed);
    await isLocked(third);
    await t.throwsAsync(unlock(third, key), { message: /invalid key/ });
    await unlock(third, rotated);
    await untilManagers('it is back again', first, (shown) => shown[third.address] === 'reachable');

    // The leader, too: another one leads meanwhile.
    const leader = await leaderOf(managers, first);
    await isLocked(leader);
    await unlock(leader, rotated);
    await untilManagers('three managers', second, (shown) => {
      return Object.values(shown).sort().join() === 'leader,reachable,reachable';
    });
    await runningTasks(second, 4);
    await eventually('no task twice', async () => {
      const counts = await Promise.all(
        [...managers, worker].map(async ({ client }) => (await client.listContainers()).length),
      );
      return counts.reduce((sum, count) => sum + count, 0) === 4;
    });
    t.is(await stateOf(worker), 'active');
  },
);

test.serial(
  'a worker whose certificate has expired comes back while it is listed, and is refused once it was removed',
  async (t) => {
    t.timeout(300_000); // two engines start
    const swarm = await startSwarm(t, 1, 15);
    const { manager } = swarm;
    const [worker] = swarm.workers as [SwarmNode];
    const { Spec, Version } = await inspect(manager);
    const CAConfig = { ...Spec.CAConfig, NodeCertExpiry: 3600e9 };
    await manager.client.swarmUpdate({ version: Version.Index, ...Spec, CAConfig } as object);
    await worker.client.swarmLeave({});
    const { JoinTokens } = await inspect(manager);
    await worker.client.swarmJoin({ RemoteAddrs: [`${manager.address}:2377`], JoinToken: JoinTokens.Worker });
    await createService(manager, 2);
    await running(swarm, 2);
    const hours = async (count: number) => ({ environment: await otherClock(count * 3600) });

    await worker.daemon.crash();
    await manager.daemon.restart(await hours(3));
    await eventually('the worker is down', async () => {
      const listed = (await nodesOf(manager).catch(() => [])).filter(({ Status }) => Status.Addr === worker.address);
      return listed.length > 0 && listed.every(({ Status }) => Status.State === 'down');
    });
    await worker.daemon.restart(await hours(3));
    const back = await eventually('it is ready', async () => {
      const listed = await nodesOf(manager).catch(() => []);
      return listed.find(({ Status }) => Status.Addr === worker.address && Status.State === 'ready');
    });
    await running(swarm, 2);

    await worker.daemon.crash();
    await manager.daemon.restart(await hours(6));
    await eventually('it is removed', async () =>
      manager.client
        .getNode(back.ID)
        .remove({ force: true })
        .then(
          () => true,
          ({ statusCode }: { readonly statusCode?: number }) => statusCode === 404,
        ),
    );
    await worker.daemon.restart(await hours(6));
    await eventually('it hears that it was removed', async () => worker.daemon.log().includes('swarm.node-removed'));
    t.false((await nodesOf(manager)).some(({ ID }) => ID === back.ID));
    const { Swarm } = (await worker.client.info()) as { readonly Swarm: { readonly Error: string } };
    t.regex(Swarm.Error, /not (?:part of|in) the swarm/);
    await eventually('its tasks are stopped', async () => (await worker.client.listContainers()).length === 0);
    await running({ ...swarm, workers: [] }, 2);
  },
);
