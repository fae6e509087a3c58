import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  eventually,
  nodeOf,
  nodesOf,
  rootRotated,
  rotateRoot,
  running,
  type Swarm,
  type SwarmNode,
  startSwarm,
  type Task,
} from '@gantry/test-nodes';
import test from 'ava';
import type Docker from 'dockerode';
import { runIn, startContainer, textOf } from './testing/run-in.js';

async function createService({ client }: SwarmNode, replicas: number, command: string): Promise<string> {
  const service = await client.createService({
    Name: 'web',
    TaskTemplate: {
      ContainerSpec: { Image: 'busybox', Command: ['sh', '-c', command], StopGracePeriod: 100e6 },
      RestartPolicy: { Delay: 0 },
    },
    Mode: { Replicated: { Replicas: replicas } },
  } as Docker.CreateServiceOptions);
  return service.id;
}

const becomes = (swarm: Swarm, node: SwarmNode, state: string): Promise<boolean> =>
  eventually(`a node that is ${state}`, async () => (await nodeOf(swarm, node)).Status.State === state);

const countOf = async ({ client }: SwarmNode): Promise<number> => (await client.listContainers()).length;

test.serial(
  'a service is spread over a manager and two workers, and its log is read through the manager',
  async (t) => {
    const swarm = await startSwarm(t, 2, 10);
    const id = await createService(swarm.manager, 6, 'hostname -i; sleep 300');
    const tasks = await running(swarm, 6);
    const perNode = (await nodesOf(swarm.manager)).map(({ ID }) => tasks.filter(({ NodeID }) => NodeID === ID).length);
    t.deepEqual(perNode, [2, 2, 2]);
    for (const node of [swarm.manager, ...swarm.workers]) t.is(await countOf(node), 2);
    await eventually('a line of every task', async () => {
      const log = await swarm.manager.client.getService(id).logs({ stdout: true, stderr: true, follow: false });
      const bytes = Buffer.isBuffer(log) ? log : await buffer(log as unknown as Readable);
      return textOf(bytes).trim().split('\n').length === 6;
    });
  },
);

test.serial('the tasks of a node that dies run elsewhere, and it is ready again after its boot', async (t) => {
  const swarm = await startSwarm(t, 2, 3);
  const [first] = swarm.workers as [SwarmNode];
  await createService(swarm.manager, 6, 'sleep 300');
  await running(swarm, 6);
  const lost = await nodeOf(swarm, first);
  await first.kill();
  await becomes(swarm, first, 'down');
  await running(swarm, 6, lost);
  await first.daemon.restart();
  await becomes(swarm, first, 'ready');
  t.is(await countOf(first), 0);
});

test.serial('a killed engine adopts its tasks, as a worker and as a manager', async (t) => {
  // On a busy host an engine starts more slowly than a node may be silent at a short heartbeat: its tasks would be replaced.
  const swarm = await startSwarm(t, 1, 15);
  const [worker] = swarm.workers as [SwarmNode];
  await createService(swarm.manager, 4, 'sleep 30000');
  const containersOf = (tasks: readonly Task[]) =>
    tasks.map(({ ID, Status }) => `${ID} ${Status.ContainerStatus?.ContainerID}`).sort();
  const before = await running(swarm, 4);
  for (const { daemon } of [worker, swarm.manager]) {
    await daemon.crash();
    await daemon.restart();
  }
  await eventually('the store of the swarm', async () =>
    swarm.manager.client.listTasks().then(
      () => true,
      (error: { readonly statusCode?: number }) => {
        if (error.statusCode !== 503) throw error;
        return false;
      },
    ),
  );
  t.deepEqual(containersOf(await running(swarm, 4)), containersOf(before));
  const { ID: ownId } = await nodeOf(swarm, worker);
  const victim = before.find(({ NodeID }) => NodeID === ownId);
  await worker.client.getContainer(victim?.Status.ContainerStatus?.ContainerID ?? '').kill();
  await eventually('a replacement', async () => (await running(swarm, 4)).every(({ ID }) => ID !== victim?.ID));
  t.is(await countOf(worker), 2);
  t.is(await countOf(swarm.manager), 2);
});

test.serial('the root certificate is rotated while tasks run, and whichever engine is killed', async (t) => {
  const swarm = await startSwarm(t, 1, 15); // see above
  const [worker] = swarm.workers as [SwarmNode];
  await createService(swarm.manager, 4, 'sleep 30000');
  const before = await running(swarm, 4);
  const root = await rotateRoot(swarm.manager);
  await swarm.manager.daemon.crash();
  await worker.daemon.crash();
  await swarm.manager.daemon.restart();
  await worker.daemon.restart();
  await rootRotated(swarm.manager, root);
  const ids = (tasks: readonly Task[]) => tasks.map(({ ID }) => ID).sort();
  t.deepEqual(ids(await running(swarm, 4)), ids(before));
  t.deepEqual(
    (await nodesOf(swarm.manager)).map(({ Status }) => Status.State),
    ['ready', 'ready'],
  );
  const { ID: workerId } = await nodeOf(swarm, worker);
  const victim = before.find(({ NodeID }) => NodeID === workerId);
  await worker.client.getContainer(victim?.Status.ContainerStatus?.ContainerID ?? '').kill();
  await eventually('a replacement', async () => (await running(swarm, 4)).every(({ ID }) => ID !== victim?.ID));
});

test.serial('a node that is cut off is replaced, and stops its tasks when it is reached again', async (t) => {
  const swarm = await startSwarm(t, 1, 3);
  const [worker] = swarm.workers as [SwarmNode];
  await createService(swarm.manager, 4, 'sleep 300');
  await running(swarm, 4);
  const lost = await nodeOf(swarm, worker);
  const before = await countOf(worker);
  t.true(before > 0);
  await worker.partition();
  await running(swarm, 4, lost);
  t.is(await countOf(worker), before);
  await worker.heal();
  await becomes(swarm, worker, 'ready');
  await eventually('no container on the worker', async () => (await countOf(worker)) === 0);
});

/** The nodes with something on a network, as a node shows them. */
async function peersOf(node: SwarmNode, network: string): Promise<readonly string[]> {
  const { Peers: peers = [] } = (await node.client.getNetwork(network).inspect()) as {
    readonly Peers?: readonly { readonly IP: string }[];
  };
  return peers.map(({ IP }) => IP).sort();
}

test.serial(
  'a container of a worker joins an attachable network, and finds those of other nodes by their names',
  async (t) => {
    const { manager, workers } = await startSwarm(t, 1, 10);
    const [worker] = workers as [SwarmNode];
    await manager.client.createNetwork({ Name: 'shared', Driver: 'overlay', Attachable: true });
    const hostConfig = { HostConfig: { NetworkMode: 'shared' } };
    const there = await startContainer(manager.client, { name: 'there', ...hostConfig });
    const here = await eventually('the worker knows the network', () =>
      startContainer(worker.client, { name: 'here', ...hostConfig }).catch(() => undefined),
    );
    const late = await startContainer(worker.client, { name: 'late' });
    await worker.client.getNetwork('shared').connect({ Container: 'late', EndpointConfig: { Aliases: ['tardy'] } });
    t.like(await runIn(here, 'ping -c 1 -W 5 there'), { code: 0 });
    for (const node of [manager, worker]) {
      t.deepEqual(await peersOf(node, 'shared'), [manager.address, worker.address].sort());
    }
    await worker.partition();
    t.deepEqual(await peersOf(worker, 'shared'), [], 'no leader says who they are');
    await worker.heal();
    await eventually('the leader says it again', async () => (await peersOf(worker, 'shared')).length === 2);
    for (const name of ['here', 'late', 'tardy']) {
      await eventually(`an answer of ${name}`, async () => (await runIn(there, `ping -c 1 -W 5 ${name}`)).code === 0);
    }
    await worker.client.getNetwork('shared').disconnect({ Container: 'late' });
    await eventually('the name is gone', async () => (await runIn(there, 'ping -c 1 -W 1 tardy')).code !== 0);
    t.like(await runIn(late, 'ping -c 1 -W 1 there'), { code: 1 });
  },
);
