import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  changeRole,
  eventually,
  type ListedNode,
  leaderOf,
  managersOf,
  rootRotated,
  rotateRoot,
  runningTasks,
  type SwarmNode,
  startManagers,
  untilManagers,
} from '@gantry/test-nodes';
import test from 'ava';
import type Docker from 'dockerode';
import { runIn, startContainer, textOf } from './testing/run-in.js';

async function createService({ client }: SwarmNode, replicas: number): Promise<Docker.Service> {
  return client.createService({
    Name: 'web',
    TaskTemplate: {
      ContainerSpec: { Image: 'busybox', Command: ['sh', '-c', 'hostname; sleep 300'], StopGracePeriod: 100e6 },
      RestartPolicy: { Delay: 0 },
    },
    Mode: { Replicated: { Replicas: replicas } },
  } as Docker.CreateServiceOptions);
}

async function linesOf(log: Buffer | Readable): Promise<readonly string[]> {
  const bytes = Buffer.isBuffer(log) ? log : await buffer(log);
  return textOf(bytes).trim().split('\n');
}

test.serial(
  'managers join, any of them answers, change their roles, and another one leads when the leader dies',
  async (t) => {
    t.timeout(300_000); // four engines start
    const { managers, workers } = await startManagers(t, 3, 1);
    const [, second, third] = managers as [SwarmNode, SwarmNode, SwarmNode];
    const [worker] = workers as [SwarmNode];
    for (const manager of managers) {
      await untilManagers('a leader and two other managers', manager, (shown) => {
        return Object.values(shown).sort().join() === 'leader,reachable,reachable';
      });
    }
    const service = await createService(second, 8);
    await runningTasks(third, 8);
    const options = { stdout: true, stderr: true, follow: false } as const;
    for (const manager of managers) {
      const log = (await manager.client.getService(service.id).logs(options)) as unknown as Readable;
      t.is((await linesOf(log)).length, 8, `the log of tasks on every node, through ${manager.address}`);
    }
    const leader = await leaderOf(managers, second);
    const [one, other] = managers.filter((manager) => manager !== leader) as [SwarmNode, SwarmNode];
    const root = await rotateRoot(one); // the next leader goes on with it
    await leader.kill();
    const died = performance.now();
    await untilManagers('another leader', one, (shown) =>
      Object.entries(shown).some(([address, status]) => address !== leader.address && status === 'leader'),
    );
    t.log(`leader after ${Math.round(performance.now() - died)} ms`);
    await untilManagers('the dead manager is unreachable', other, (shown) => shown[leader.address] === 'unreachable');
    const after = await runningTasks(other, 8);
    t.log(`tasks elsewhere after ${Math.round(performance.now() - died)} ms`);
    t.is(new Set(after.map(({ Slot }) => Slot)).size, 8, 'no slot twice');
    const counts = await Promise.all(
      [worker, one, other].map(async ({ client }) => (await client.listContainers()).length),
    );
    t.is(
      counts.reduce((sum, count) => sum + count, 0),
      8,
      'no task was duplicated',
    );
    await leader.daemon.restart();
    await untilManagers('the manager is back', leader, (shown) => shown[leader.address] === 'reachable');

    await rootRotated(one, root);

    const next = await leaderOf(managers, leader);
    await changeRole(leader, next, 'worker');
    await untilManagers('a worker', leader, (shown) => shown[next.address] === undefined);
    await changeRole(leader, next, 'manager'); // before it may have heard that it was none
    await untilManagers('a manager again', leader, (shown) => shown[next.address] === 'reachable');
    t.is((await runningTasks(leader, 8)).length, 8);
  },
);

test.serial(
  'nodes whose hosts are given other addresses are reached there: a worker, a manager, and the leader',
  async (t) => {
    t.timeout(300_000); // four engines start
    const { engines, managers, workers } = await startManagers(t, 3, 1);
    const [first, second, third] = managers as [SwarmNode, SwarmNode, SwarmNode];
    const [worker] = workers as [SwarmNode];
    await second.client.createNetwork({ Name: 'shared', Driver: 'overlay', Attachable: true });
    await third.client.createNetwork({ Name: 'short-lived', Driver: 'overlay' });
    for (const manager of managers) {
      await eventually(`both networks on ${manager.address}`, async () => {
        const names = (await manager.client.listNetworks()).map(({ Name }) => Name);
        return names.filter((name) => name === 'shared' || name === 'short-lived').length === 2;
      });
    }
    await eventually('not on the worker', async () => {
      return (await worker.client.listNetworks()).every(({ Name }) => Name !== 'short-lived');
    });
    await second.client.getNetwork('short-lived').remove();
    await eventually('none left', async () => {
      return (await third.client.listNetworks()).every(({ Name }) => Name !== 'short-lived');
    });
    const containers = new Map<SwarmNode, Docker.Container>();
    for (const [index, engine] of engines.entries()) {
      const options = { name: `c${index}`, HostConfig: { NetworkMode: 'shared' } };
      const container = await eventually('the network', () =>
        startContainer(engine.client, options).catch(async () => {
          // It may have been created, and not started because the swarm had no leader for a moment.
          await engine.client
            .getContainer(options.name)
            .remove({ force: true })
            .catch(() => undefined);
          return undefined;
        }),
      );
      containers.set(engine, container);
    }
    for (const [index, node] of [worker, second, first].entries()) {
      const address = `10.98.0.${50 + index}`;
      const began = performance.now();
      await node.readdress(address);
      await eventually(`ready at ${address}`, async () => {
        const nodes = (await third.client.listNodes().catch(() => [])) as unknown as readonly ListedNode[];
        const shown = nodes.find(({ Status }) => Status.Addr === address);
        const reached = shown?.ManagerStatus === undefined || shown.ManagerStatus.Addr === `${address}:2377`;
        return shown?.Status.State === 'ready' && reached && nodes.every(({ Status }) => Status.State === 'ready');
      });
      t.log(`ready after ${Math.round(performance.now() - began)} ms`);
      for (const [asking, container] of containers) {
        await eventually(`answers for ${asking.address}`, async () => {
          const asks = engines.map((_, other) => `ping -c 1 -W 2 c${other}`).join(' && ');
          return (await runIn(container, asks)).code === 0;
        });
      }
      t.log(`its network works after ${Math.round(performance.now() - began)} ms`);
      const { Swarm } = (await node.client.info()) as { Swarm: { NodeAddr: string } };
      t.is(Swarm.NodeAddr, address);
    }
    const shown = await eventually('all managers', async () => {
      const found = await managersOf(second).catch(() => ({}));
      return Object.keys(found).length === 3 && !Object.values(found).includes('unreachable') && found;
    });
    t.deepEqual(Object.keys(shown).sort(), ['10.98.0.3', '10.98.0.51', '10.98.0.52']);
  },
);

test.serial(
  'nodes that were cut off when a manager was given another address find it, also when the one that knew it has died',
  async (t) => {
    t.timeout(300_000); // four engines start
    const { managers, workers } = await startManagers(t, 3, 1);
    const [dying, moving, away] = managers as [SwarmNode, SwarmNode, SwarmNode];
    const [worker] = workers as [SwarmNode];
    await away.partition();
    await worker.partition();
    const address = '10.98.0.50';
    await moving.readdress(address);
    await untilManagers(
      'the other address',
      dying,
      ({ [address]: status = 'unreachable' }) => status !== 'unreachable',
    );
    await dying.kill();
    await worker.heal();
    await away.heal();
    for (const asked of [moving, away]) {
      let said = '';
      const areReady = async (): Promise<boolean> => {
        try {
          const nodes = (await asked.client.listNodes()) as unknown as readonly ListedNode[];
          const ready = nodes.filter(({ Status }) => Status.State === 'ready').map(({ Status }) => Status.Addr);
          said = nodes.map(({ Status }) => `${Status.Addr} ${Status.State}`).join();
          return ready.sort().join() === [away.address, worker.address, address].sort().join();
        } catch (error) {
          said = String(error);
          return false;
        }
      };
      await eventually(`all nodes on ${asked.address}`, areReady).catch((error: unknown) => {
        t.log(`${asked.address} said last: ${said}`);
        throw error;
      });
    }
    t.pass();
  },
);
