import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../ask.js';
import type { Scenario } from '../scenario.js';
import type { ContainerSummary, ServiceSummary, SwarmDetails, TaskSummary } from '../wire.js';
import type { World } from '../world.js';

const address = { ListenAddr: '127.0.0.1:2377', AdvertiseAddr: '127.0.0.1:2377' };

const init = (world: World) => world.ask('POST', '/swarm/init', { body: address });

const template = (env: string) => ({
  ContainerSpec: { Image: 'busybox', Command: ['sleep', '1000'], Env: [env], StopGracePeriod: 1_000_000_000 },
  RestartPolicy: { Condition: 'any', Delay: 0 },
});

const spec = (env: string, replicas: number) => ({
  Name: 'web',
  Mode: { Replicated: { Replicas: replicas } },
  TaskTemplate: template(env),
  UpdateConfig: { Parallelism: 0 },
});

/** A call on services, until its tasks run: the daemon may die over them when the call was answered long ago. */
async function converge(world: World, call: Promise<Answer | undefined>, env: string, replicas: number) {
  const answer = await call;
  for (let round = 0; round < 300; round++) {
    const listed = await world.ask('GET', '/tasks');
    if (listed?.status !== 200) break;
    if (hasConverged(JSON.parse(listed.text) as TaskSummary[], env, replicas)) break;
    await delay(50);
  }
  return answer;
}

/** The containers of a removed service stop when the call was answered long ago. */
async function untilNoContainers(world: World): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: ['com.docker.swarm.task'] }));
  for (let round = 0; round < 300; round++) {
    const listed = await world.ask('GET', `/containers/json?all=1&filters=${filters}`);
    if (listed?.status !== 200 || (JSON.parse(listed.text) as readonly ContainerSummary[]).length === 0) return;
    await delay(50);
  }
}

function hasConverged(tasks: readonly TaskSummary[], env: string, replicas: number): boolean {
  const live = tasks.filter(({ Status }) => !ended.has(Status.State));
  const running = live.filter(({ DesiredState, Spec, Status }) => {
    const isNew = Spec.ContainerSpec.Env?.includes(env) === true;
    return isNew && DesiredState === 'running' && Status.State === 'running';
  });
  return running.length === replicas && live.length === replicas;
}

const ended = new Set(['complete', 'shutdown', 'failed', 'rejected', 'orphaned']);

const create = (world: World) =>
  converge(world, world.ask('POST', '/services/create', { body: spec('A=1', 2) }), 'A=1', 2);

async function withService(world: World): Promise<void> {
  await world.must('POST', '/swarm/init', address);
  const answer = await create(world);
  if (answer?.status !== 201) throw new Error(`the service was not created: ${answer?.text}`);
}

async function update(world: World, env: string, replicas: number): Promise<Answer | undefined> {
  const found = await world.ask('GET', '/services/web');
  if (found?.status !== 200) return found;
  const { Version } = JSON.parse(found.text) as ServiceSummary;
  const call = world.ask('POST', `/services/web/update?version=${Version.Index}`, { body: spec(env, replicas) });
  return converge(world, call, env, replicas);
}

/** A rotation of the root certificate, until it has ended. */
async function rotateRoot(world: World): Promise<Answer | undefined> {
  const inspect = () => world.ask('GET', '/swarm');
  const found = await inspect();
  if (found?.status !== 200) return found;
  const { Spec, Version } = JSON.parse(found.text) as SwarmDetails;
  const body = { ...Spec, CAConfig: { ...Spec.CAConfig, ForceRotate: 1 } };
  const answer = await world.ask('POST', `/swarm/update?version=${Version.Index}`, { body });
  for (let round = 0; round < 300; round++) {
    const shown = await inspect();
    if (shown?.status !== 200) break;
    if (!(JSON.parse(shown.text) as SwarmDetails).RootRotationInProgress) break;
    await delay(50);
  }
  return answer;
}

/** Every container of a task belongs to a task that there is, and no slot has two that run. */
async function verifyTasks({ must }: World): Promise<readonly string[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: ['com.docker.swarm.task'] }));
  const containers = await must<ContainerSummary[]>('GET', `/containers/json?all=1&filters=${filters}`);
  const tasks = new Map((await must<TaskSummary[]>('GET', '/tasks')).map((task) => [task.ID, task]));
  const taskOf = ({ Labels }: ContainerSummary) => tasks.get(Labels['com.docker.swarm.task.id'] ?? '');
  const running = containers.filter(({ State }) => State === 'running');
  const slots = running.map((container) => taskOf(container)?.Slot);
  return [
    ...containers.filter((one) => taskOf(one) === undefined).map(({ Names }) => `${Names} belongs to no task`),
    ...running
      .filter((one) => taskOf(one)?.Status.ContainerStatus?.ContainerID !== one.Id)
      .map(({ Names }) => `the task of ${Names} does not know it`),
    ...slots.filter((slot, index) => slots.indexOf(slot) !== index).map((slot) => `two tasks run in slot ${slot}`),
  ];
}

const points = /^(agent|services|etcd|cluster)\./;

const networkPoints = /^(overlay|network)\./;

const mesh = { Name: 'mesh', Driver: 'overlay', Attachable: true };

async function withNetwork(world: World): Promise<void> {
  await world.must('POST', '/swarm/init', address);
  await world.must('POST', '/networks/create', mesh);
}

const createOnNetwork = (world: World) => {
  const body = { ...spec('A=1', 2), Networks: [{ Target: 'mesh' }] };
  return converge(world, world.ask('POST', '/services/create', { body }), 'A=1', 2);
};

async function removeService(world: World): Promise<Answer | undefined> {
  const answer = await world.ask('DELETE', '/services/web');
  await untilNoContainers(world);
  return answer;
}

/** Networks across nodes, and what runs on them. */
const overlayScenarios: readonly Scenario[] = [
  {
    name: 'overlay network create',
    points: /^(overlay|network|etcd)\./,
    victims: ['daemon', 'etcd'],
    prepare: (world) => world.must('POST', '/swarm/init', address),
    act: (world) => world.ask('POST', '/networks/create', { body: mesh }),
    alreadyDone: [403, 409],
  },
  {
    name: 'overlay network remove',
    points: /^(overlay|network|etcd)\./,
    victims: ['daemon', 'etcd'],
    prepare: withNetwork,
    act: (world) => world.ask('DELETE', '/networks/mesh'),
    alreadyDone: [404],
  },
  {
    name: 'service create on an overlay network',
    points: networkPoints,
    victims: ['daemon', 'etcd'],
    prepare: withNetwork,
    act: createOnNetwork,
    verify: verifyTasks,
    alreadyDone: [409],
  },
  {
    name: 'service remove from an overlay network',
    points: networkPoints,
    victims: ['daemon', 'etcd', 'monitor'],
    prepare: async (world) => {
      await withNetwork(world);
      const answer = await createOnNetwork(world);
      if (answer?.status !== 201) throw new Error(`the service was not created: ${answer?.text}`);
    },
    act: removeService,
    verify: verifyTasks,
    alreadyDone: [404],
  },
];

const scenarios: readonly Scenario[] = [
  ...overlayScenarios,
  { name: 'swarm init', points, act: init, alreadyDone: [406] },
  {
    name: 'swarm leave',
    points,
    victims: ['daemon', 'etcd', 'monitor'],
    prepare: withService,
    act: (world) => world.ask('POST', '/swarm/leave?force=1'),
    // An interrupted leave is completed by the next start.
    mayLeave: (state) => !state.includes('swarm'),
    alreadyDone: [406],
  },
  {
    name: 'swarm root rotation',
    points: /^(cluster|etcd)\./,
    victims: ['daemon', 'etcd'],
    prepare: (world) => world.must('POST', '/swarm/init', address),
    act: rotateRoot,
  },
  {
    name: 'secret create',
    points,
    victims: ['daemon', 'etcd'],
    prepare: (world) => world.must('POST', '/swarm/init', address),
    act: (world) => world.ask('POST', '/secrets/create', { body: { Name: 'key', Data: 'c2VjcmV0' } }),
    alreadyDone: [409],
  },
  {
    name: 'service create',
    points,
    victims: ['daemon', 'etcd'],
    prepare: (world) => world.must('POST', '/swarm/init', address),
    act: create,
    verify: verifyTasks,
    alreadyDone: [409],
  },
  {
    name: 'service scale',
    points,
    victims: ['daemon', 'etcd', 'monitor'],
    prepare: withService,
    act: (world) => update(world, 'A=1', 3),
    verify: verifyTasks,
  },
  {
    name: 'service update',
    points,
    victims: ['daemon', 'etcd', 'monitor'],
    prepare: withService,
    act: (world) => update(world, 'A=2', 2),
    verify: verifyTasks,
  },
  {
    name: 'service remove',
    points,
    victims: ['daemon', 'etcd', 'monitor'],
    prepare: withService,
    act: removeService,
    verify: verifyTasks,
    alreadyDone: [404],
  },
];

export const swarmScenarios: readonly Scenario[] = scenarios.map((scenario) => ({ ...scenario, isExclusive: true }));
