import type { Scenario } from '../scenario.js';
import type { Created } from '../wire.js';
import type { World } from '../world.js';

const name = 'subject';

/** Ends at SIGTERM with 3. */
const obedient = ['sh', '-c', 'trap "exit 3" TERM; while :; do sleep 0.05; done'];

const anything = {
  Image: 'busybox',
  Cmd: obedient,
  Volumes: { '/anonymous': {} },
  ExposedPorts: { '80/tcp': {} },
  HostConfig: { Binds: ['named:/named'], PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] } },
};

const create = (world: World, options: object = {}): Promise<Created> =>
  world.must('POST', `/containers/create?name=${name}`, { ...anything, ...options });

const run = async (world: World, options: object = {}): Promise<Created> => {
  const created = await create(world, options);
  await world.must('POST', `/containers/${name}/start`);
  return created;
};

const post = (verb: string) => (world: World) => world.ask('POST', `/containers/${name}/${verb}`);

const status = (state: readonly string[]): string =>
  state.find((line) => line.startsWith(`container /${name} `))?.split(/[ ,]/)[2] ?? 'absent';

export const containerScenarios: readonly Scenario[] = [
  {
    name: 'create',
    act: (world) => world.ask('POST', `/containers/create?name=${name}`, { body: anything }),
    // A named volume is created for the container and stays.
    mayLeave: (state) => status(state) === 'absent' && state.includes('volume named local'),
    alreadyDone: [409],
  },
  {
    name: 'start',
    prepare: (world) => create(world),
    act: post('start'),
    alreadyDone: [304],
  },
  {
    name: 'start on a network of users',
    prepare: async (world) => {
      await world.must('POST', '/networks/create', { Name: 'lan' });
      await create(world, { HostConfig: { NetworkMode: 'lan' } });
    },
    act: post('start'),
    alreadyDone: [304],
  },
  {
    name: 'start a second time',
    prepare: async (world) => {
      await run(world);
      await world.must('POST', `/containers/${name}/kill`);
    },
    act: post('start'),
    alreadyDone: [304],
  },
  { name: 'stop', prepare: (world) => run(world), act: post('stop?t=60'), alreadyDone: [304] },
  {
    name: 'stop of one that does not listen',
    prepare: (world) => run(world, { Cmd: ['sleep', '1000'] }),
    act: post('stop?t=1'),
    alreadyDone: [304],
  },
  { name: 'kill', prepare: (world) => run(world), act: post('kill'), alreadyDone: [409, 500] },
  {
    name: 'restart',
    prepare: (world) => run(world),
    act: post('restart?t=60'),
    mayLeave: (state) => status(state) === 'exited',
  },
  { name: 'pause', prepare: (world) => run(world), act: post('pause'), alreadyDone: [409, 500] },
  {
    name: 'unpause',
    prepare: async (world) => {
      await run(world);
      await world.must('POST', `/containers/${name}/pause`);
    },
    act: post('unpause'),
    alreadyDone: [500],
  },
  {
    name: 'rename',
    prepare: (world) => create(world),
    act: (world) => world.ask('POST', `/containers/${name}/rename?name=other`),
    alreadyDone: [404],
  },
  {
    name: 'update',
    prepare: (world) => run(world),
    act: (world) =>
      world.ask('POST', `/containers/${name}/update`, {
        body: { Memory: 64 * 2 ** 20, MemorySwap: -1, RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 2 } },
      }),
  },
  {
    name: 'remove',
    prepare: async (world) => {
      await run(world);
      await world.must('POST', `/containers/${name}/kill`);
    },
    act: (world) => world.ask('DELETE', `/containers/${name}?v=1`),
    alreadyDone: [404],
  },
  {
    name: 'remove by force',
    prepare: (world) => run(world),
    act: (world) => world.ask('DELETE', `/containers/${name}?v=1&force=1`),
    mayLeave: (state) => status(state) === 'exited',
    alreadyDone: [404],
  },
  {
    // The resources of the container are released while the removal begins.
    name: 'remove as soon as it has ended',
    prepare: (world) => run(world, { Cmd: ['sleep', '0.5'] }),
    act: async (world) => {
      const waited = await post('wait')(world);
      return waited?.status === 200 ? world.ask('DELETE', `/containers/${name}?v=1`) : waited;
    },
    retry: (world) => world.ask('DELETE', `/containers/${name}?v=1`),
    mayLeave: (state) => status(state) === 'exited',
    alreadyDone: [404],
  },
  {
    name: 'an end',
    prepare: (world) => run(world, { Cmd: ['sh', '-c', 'sleep 0.5; exit 3'] }),
    act: post('wait'),
    // It exits whether or not a client waits.
    mayLeave: (state) => status(state) === 'exited',
  },
  {
    name: 'an end that removes',
    prepare: (world) => run(world, { Cmd: ['sleep', '0.5'], HostConfig: { AutoRemove: true } }),
    act: post('wait'),
    alreadyDone: [404],
  },
  {
    name: 'exec',
    prepare: (world) => run(world),
    act: async (world) => {
      const body = { Cmd: ['sh', '-c', 'echo out; exit 4'], AttachStdout: true };
      const created = await world.ask('POST', `/containers/${name}/exec`, { body });
      if (created?.status !== 201) return created;
      const { Id } = JSON.parse(created.text) as Created;
      return world.ask('POST', `/exec/${Id}/start`, { body: { Detach: false, Tty: false } });
    },
  },
  {
    name: 'exec in the background',
    prepare: (world) => run(world),
    act: async (world) => {
      const created = await world.ask('POST', `/containers/${name}/exec`, { body: { Cmd: ['sleep', '0.2'] } });
      if (created?.status !== 201) return created;
      const { Id } = JSON.parse(created.text) as Created;
      return world.ask('POST', `/exec/${Id}/start`, { body: { Detach: true } });
    },
  },
];
