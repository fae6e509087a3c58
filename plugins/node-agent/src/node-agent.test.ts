import { ClusterInfo } from '@gantry/cluster/service';
import type { TestContainers } from '@gantry/containers/testing';
import { loadBalancer } from '@gantry/memory-drivers';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { Swarm, startAgent, startSwarm, type Task } from './testing/start-swarm.js';

const memberRoutes = [
  ...[
    'GET /services',
    'POST /services/create',
    'GET /services/x',
    'DELETE /services/x',
    'GET /services/x/logs?stdout=1',
  ],
  ...['POST /services/x/update?version=1', 'GET /tasks', 'GET /tasks/x'],
];

for (const route of memberRoutes) {
  test(`${route} answers 503 outside of a swarm`, async (t) => {
    const [method = '', path = ''] = route.split(' ');
    const answer = await new Swarm(await startAgent(t)).ask(method, path, method === 'POST' ? {} : undefined);
    t.is(answer.status, 503);
    t.regex(answer.text, /not a swarm manager/);
  });
}

test('a service runs a container for each replica, labelled with its task', async (t) => {
  const swarm = await startSwarm(t);
  const id = await swarm.create({ Mode: { Replicated: { Replicas: 2 } } });
  const tasks = await swarm.running(2);
  t.deepEqual(tasks.map(({ Slot }) => Slot).sort(), [1, 2]);
  const labels = (await swarm.containers()).map(({ Labels }) => Labels);
  t.deepEqual(labels.map((label) => label['com.docker.swarm.task.id']).sort(), tasks.map(({ ID }) => ID).sort());
  t.true(labels.every((label) => label['com.docker.swarm.service.id'] === id));
});

test('a killed container is replaced', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create();
  const [first] = await swarm.running(1);
  await swarm.ask('POST', `/containers/${first?.Status.ContainerStatus?.ContainerID}/kill`);
  await eventually('the replacement', async () => {
    const [task] = (await swarm.tasks()).filter(({ Status }) => Status.State === 'running');
    return task !== undefined && task.ID !== first?.ID;
  });
  t.deepEqual(
    (await swarm.tasks()).filter(({ ID }) => ID === first?.ID).map(({ Status }) => [Status.State, Status.Err]),
    [['failed', 'task: non-zero exit (137)']],
  );
});

test('an update replaces the containers, and a stale version is refused', async (t) => {
  const swarm = await startSwarm(t);
  const id = await swarm.create({ Mode: { Replicated: { Replicas: 2 } } });
  await swarm.running(2);
  const service = (await swarm.ask('GET', `/services/${id}`)).json<{
    readonly Version: { readonly Index: number };
    readonly Spec: { readonly TaskTemplate: { readonly ContainerSpec: object } };
  }>();
  const { ContainerSpec } = service.Spec.TaskTemplate;
  const spec = {
    ...service.Spec,
    TaskTemplate: { ...service.Spec.TaskTemplate, ContainerSpec: { ...ContainerSpec, Env: ['NEW=1'] } },
  };
  const update = () => swarm.ask('POST', `/services/${id}/update?version=${service.Version.Index}`, spec);
  t.is((await update()).status, 200);
  const stale = await update();
  t.is(stale.status, 500);
  t.regex(stale.text, /update out of sequence/);
  await eventually('the new tasks', async () => {
    const running = await swarm.running(2);
    return running.every(({ Spec }) => Spec.ContainerSpec.Env?.includes('NEW=1'));
  });
  t.pass();
});

test('removing a service removes its containers', async (t) => {
  const swarm = await startSwarm(t);
  const id = await swarm.create({ Mode: { Replicated: { Replicas: 2 } } });
  await swarm.running(2);
  t.is((await swarm.ask('DELETE', `/services/${id}`)).status, 200);
  t.deepEqual(await swarm.tasks(), [], 'the tasks are not shown any more');
  await eventually('the removal of the containers', async () => (await swarm.containers()).length === 0);
  t.pass();
});

test('leaving the swarm removes the containers of its tasks', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create();
  await swarm.running(1);
  t.is((await swarm.ask('POST', '/swarm/leave?force=1')).status, 200);
  t.deepEqual(await swarm.containers(), []);
});

test('a leave that was interrupted is completed by the next start, with the containers of the tasks', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create();
  await swarm.running(1);
  await swarm.restart({ phase: 'leaving' });
  t.is((await swarm.ask('GET', '/swarm')).status, 503);
  await eventually('the removal of the containers', async () => (await swarm.containers()).length === 0);
  t.pass();
});

test('the containers of tasks go on over a restart, and are adopted', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create();
  const before = await swarm.running(1);
  await swarm.restart();
  t.deepEqual(
    (await swarm.running(1)).map(({ ID, Status }) => [ID, Status.ContainerStatus]),
    before.map(({ ID, Status }) => [ID, Status.ContainerStatus]),
  );
  t.is((await swarm.containers()).length, 1);
});

test('a task whose container cannot be created is rejected with the reason', async (t) => {
  const swarm = await startSwarm(t);
  const Data = Buffer.from('a {{.Nonsense}}').toString('base64');
  const created = await swarm.ask('POST', '/configs/create', { Name: 'c', Data, Templating: { Name: 'golang' } });
  const config = { ConfigID: String(created.json().ID), ConfigName: 'c', File: { Name: '/c', UID: '0', GID: '0' } };
  await swarm.create({
    TaskTemplate: {
      ContainerSpec: { Image: 'busybox', Configs: [config] },
      RestartPolicy: { Condition: 'none' },
    },
  });
  let status: Task['Status'] | undefined;
  await eventually('the rejection', async () => {
    status = (await swarm.tasks())[0]?.Status;
    return status?.State === 'rejected';
  });
  t.regex(status?.Err ?? '', /config c: invalid template: \{\{\.Nonsense\}\}/);
});

test('a name and a published port are used once', async (t) => {
  const swarm = await startSwarm(t);
  const EndpointSpec = { Ports: [{ TargetPort: 80, PublishedPort: 31_999 }] };
  await swarm.create({ EndpointSpec, Mode: { Replicated: { Replicas: 0 } } });
  const TaskTemplate = { ContainerSpec: { Image: 'busybox' } };
  const namesake = await swarm.ask('POST', '/services/create', { Name: 'web', TaskTemplate });
  t.is(namesake.status, 409);
  t.regex(namesake.text, /name conflicts with an existing object: service web already exists/);
  const neighbour = await swarm.ask('POST', '/services/create', { Name: 'other', TaskTemplate, EndpointSpec });
  t.is(neighbour.status, 400);
  t.regex(neighbour.text, /port '31999' is already in use by service 'web'/);
});

interface Node {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly Role: string };
  readonly Status: { readonly State: string };
  readonly ManagerStatus?: { readonly Addr: string };
}

const nodesOf = async (swarm: Swarm): Promise<readonly Node[]> => (await swarm.ask('GET', '/nodes')).json<Node[]>();

/** A manager and a worker, which leaves when the test is over. */
async function startTwo(
  t: ExecutionContext,
  spec: object = {},
): Promise<{ manager: Swarm; worker: TestContainers; workerId: string }> {
  const manager = await startSwarm(t, { spec });
  const [own] = await nodesOf(manager);
  const worker = await startAgent(t);
  const tokens = (await manager.ask('GET', '/swarm')).json<{ JoinTokens: { Worker: string } }>().JoinTokens;
  const body = { RemoteAddrs: [own?.ManagerStatus?.Addr], JoinToken: tokens.Worker };
  const answer = await worker.engine.ask('POST', '/swarm/join', { body });
  t.is(answer.status, 200, answer.text);
  t.teardown(async () => void (await worker.engine.ask('POST', '/swarm/leave?force=1')));
  const joined = (await nodesOf(manager)).find(({ ID }) => ID !== own?.ID);
  return { manager, worker, workerId: joined?.ID ?? '' };
}

const containersOf = async (own: TestContainers) =>
  (await own.engine.ask('GET', '/containers/json')).json<
    readonly { readonly Id: string; readonly Labels: Record<string, string> }[]
  >();

test('replicas are spread over two nodes, and each node runs its own', async (t) => {
  const { manager, worker, workerId } = await startTwo(t);
  await manager.create({ Mode: { Replicated: { Replicas: 4 } } });
  const tasks = await manager.running(4);
  const onWorker = tasks.filter((task) => (task as { NodeID?: string }).NodeID === workerId);
  t.is(onWorker.length, 2);
  t.deepEqual(
    (await containersOf(worker)).map(({ Labels }) => Labels['com.docker.swarm.task.id']).sort(),
    onWorker.map(({ ID }) => ID).sort(),
  );
});

test('a drained worker gives up its tasks, which run elsewhere', async (t) => {
  const { manager, worker, workerId } = await startTwo(t);
  await manager.create({ Mode: { Replicated: { Replicas: 2 } } });
  await manager.running(2);
  const node = (await nodesOf(manager)).find(({ ID }) => ID === workerId);
  const update = { ...node?.Spec, Availability: 'drain' };
  const answer = await manager.ask('POST', `/nodes/${workerId}/update?version=${node?.Version.Index}`, update);
  t.is(answer.status, 200, answer.text);
  await eventually('the worker is empty', async () => (await containersOf(worker)).length === 0);
  for (const task of await manager.running(2)) t.not((task as { NodeID?: string }).NodeID, workerId);
});

test('the tasks of a worker that went away are replaced, and it removes its own when it is back', async (t) => {
  const { manager, worker, workerId } = await startTwo(t, { Dispatcher: { HeartbeatPeriod: 2e9 } });
  await manager.create({ Mode: { Replicated: { Replicas: 2 } } });
  await manager.running(2);
  await worker.engine.kernel.stop();
  await eventually('two tasks on the manager', async () => {
    const running = (await manager.tasks()).filter(
      (task) => task.DesiredState === 'running' && task.Status.State === 'running',
    );
    return running.length === 2 && running.every((task) => (task as { NodeID?: string }).NodeID !== workerId);
  });
  await worker.engine.restart();
  await eventually('the worker is ready', async () =>
    (await nodesOf(manager)).some(({ ID, Status }) => ID === workerId && Status.State === 'ready'),
  );
  await eventually('the worker is empty', async () => (await containersOf(worker)).length === 0);
});

test('the tasks of a worker go on while no manager can be reached', async (t) => {
  const { manager, worker, workerId } = await startTwo(t);
  await manager.create({ Mode: { Replicated: { Replicas: 2 } } });
  const before = (await manager.running(2)).map(({ ID }) => ID).sort();
  await manager.restart();
  t.is((await containersOf(worker)).length, 1);
  await eventually('the worker is ready', async () =>
    (await nodesOf(manager)).some(({ ID, Status }) => ID === workerId && Status.State === 'ready'),
  );
  t.deepEqual((await manager.running(2)).map(({ ID }) => ID).sort(), before);
});

test('a worker that leaves removes its tasks, and they run elsewhere', async (t) => {
  const { manager, worker } = await startTwo(t);
  await manager.create({ Mode: { Replicated: { Replicas: 2 } } });
  await manager.running(2);
  t.is((await worker.engine.ask('POST', '/swarm/leave')).status, 200);
  t.deepEqual(await containersOf(worker), []);
  await manager.running(2);
});

test('a task on a worker has the secret that the manager keeps, which is no mount that clients see', async (t) => {
  const { manager, worker, workerId } = await startTwo(t);
  const secret = (await manager.ask('POST', '/secrets/create', { Name: 's', Data: 'eA==' })).json<{ ID: string }>();
  await manager.create({
    TaskTemplate: {
      ContainerSpec: {
        Image: 'busybox',
        Command: ['sleep', '300'],
        Secrets: [{ SecretID: secret.ID, SecretName: 's', File: { Name: 's', UID: '0', GID: '0', Mode: 0o444 } }],
      },
      Placement: { Constraints: [`node.id==${workerId}`] },
    },
  });
  const [task] = await manager.running(1);
  t.is((task as { NodeID?: string } | undefined)?.NodeID, workerId);
  const [container] = await containersOf(worker);
  const answer = await worker.engine.ask('GET', `/containers/${container?.Id}/json`);
  const { HostConfig, Mounts } = answer.json<ShownMounts>();
  t.deepEqual([Mounts, HostConfig.Mounts ?? []], [[], []]);
});

interface ShownMounts {
  readonly Mounts: readonly object[];
  readonly HostConfig: { readonly Mounts?: readonly object[] };
}

test('the log of a task on another node is read through the manager', async (t) => {
  const { manager, workerId } = await startTwo(t);
  await manager.create({
    TaskTemplate: {
      ContainerSpec: { Image: 'busybox', Command: ['sleep', '300'] },
      Placement: { Constraints: [`node.id==${workerId}`] },
    },
  });
  const [task] = await manager.running(1);
  const answer = await manager.ask('GET', `/tasks/${task?.ID}/logs?stdout=1&stderr=1`);
  t.is(answer.status, 200, answer.text);
});

test('a node says whether its tasks see the addresses of clients, and if not, why', async (t) => {
  const broken: typeof loadBalancer = {
    ...loadBalancer,
    create(context) {
      return loadBalancer.create({ ...context, config: { obstacle: 'no egress hook' } });
    },
  };
  for (const balancer of [loadBalancer, broken]) {
    const swarm = await startSwarm(t, { balancer });
    const info = swarm.own.engine.kernel.service(ClusterInfo);
    await eventually('it is known', async () => info.describe().ClientAddresses !== undefined);
    const isKept = balancer === loadBalancer;
    t.is(info.describe().ClientAddresses, isKept ? 'kept' : 'masqueraded');
    t.deepEqual(
      info.warnings.map((text) => /no egress hook$/.test(text)),
      isKept ? [] : [true],
    );
    await swarm.ask('POST', '/swarm/leave?force=1');
    t.deepEqual(
      [info.describe().ClientAddresses, info.warnings],
      [undefined, []],
      'outside of a swarm there is nothing to say',
    );
  }
});
