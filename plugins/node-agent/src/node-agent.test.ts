import cluster from '@gantry/cluster';
import { startContainers, type TestContainers } from '@gantry/containers/testing';
import { definePlugin } from '@gantry/core/plugin';
import { ImageExchange } from '@gantry/images/service';
import { clusterStore, network, volume } from '@gantry/memory-drivers';
import services from '@gantry/services';
import { eventually } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test, { type ExecutionContext } from 'ava';
import nodeAgent from './index.js';

const noRegistry = definePlugin({
  id: 'no-registry',
  provides: [ImageExchange],
  configSchema: Type.Object({}),
  setup({ container }) {
    const exchange = { pull: () => Promise.reject(new Error('there is no registry')) };
    container.registerValue(ImageExchange.token, exchange as unknown as ImageExchange);
    container.provide(ImageExchange, ImageExchange.token);
  },
});

interface Task {
  readonly ID: string;
  readonly Slot: number;
  readonly DesiredState: string;
  readonly Status: {
    readonly State: string;
    readonly Err?: string;
    readonly ContainerStatus?: { readonly ContainerID: string };
  };
  readonly Spec: { readonly ContainerSpec: { readonly Env?: readonly string[] } };
}

class Swarm {
  constructor(private readonly own: TestContainers) {}

  async ask(method: string, path: string, body?: object) {
    return this.own.engine.ask(method, path, body === undefined ? {} : { body });
  }

  async create(spec: object = {}): Promise<string> {
    const answer = await this.ask('POST', '/services/create', {
      Name: 'web',
      TaskTemplate: {
        ContainerSpec: { Image: 'busybox', Command: ['sleep', '300'], StopGracePeriod: 100e6 },
        RestartPolicy: { Delay: 0 },
      },
      ...spec,
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return String(answer.json().ID);
  }

  async tasks(): Promise<readonly Task[]> {
    return (await this.ask('GET', '/tasks')).json<Task[]>();
  }

  async running(count: number): Promise<readonly Task[]> {
    let running: readonly Task[] = [];
    await eventually(`${count} running tasks`, async () => {
      running = (await this.tasks()).filter(
        (task) => task.Status.State === 'running' && task.DesiredState === 'running',
      );
      return running.length === count;
    });
    return running;
  }

  async containers(): Promise<readonly { readonly Id: string; readonly Labels: Readonly<Record<string, string>> }[]> {
    return (await this.ask('GET', '/containers/json?all=1')).json();
  }
}

const start = (t: ExecutionContext): Promise<TestContainers> =>
  startContainers(t, { use: [clusterStore, network, volume, noRegistry, cluster, services, nodeAgent] });

async function startSwarm(t: ExecutionContext): Promise<Swarm> {
  const own = await start(t);
  const swarm = new Swarm(own);
  const answer = await swarm.ask('POST', '/swarm/init', {
    ListenAddr: '127.0.0.1:2377',
    AdvertiseAddr: '127.0.0.1:2377',
  });
  if (answer.status !== 200) throw new Error(answer.text);
  t.teardown(() => swarm.ask('POST', '/swarm/leave?force=1'));
  return swarm;
}

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
  test(`${route} answers 406 outside of a swarm`, async (t) => {
    const [method = '', path = ''] = route.split(' ');
    const answer = await new Swarm(await start(t)).ask(method, path, method === 'POST' ? {} : undefined);
    t.is(answer.status, 406);
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

test('a task whose container cannot be created is rejected with the reason', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create({
    TaskTemplate: {
      ContainerSpec: { Image: 'busybox', Env: ['X={{.Nonsense}}'] },
      RestartPolicy: { Condition: 'none' },
    },
  });
  let status: Task['Status'] | undefined;
  await eventually('the rejection', async () => {
    status = (await swarm.tasks())[0]?.Status;
    return status?.State === 'rejected';
  });
  t.regex(status?.Err ?? '', /ContainerSpec.Env: the placeholder \{\{\.Nonsense\}\} is not supported/);
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
