import { ClusterService, nodes } from '@gantry/cluster/service';
import { updateRecord } from '@gantry/core/contracts';
import { notFound } from '@gantry/core/errors';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { type Swarm, startSwarm } from './testing/start-swarm.js';

interface Service {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly TaskTemplate: { readonly ContainerSpec: { readonly Env?: readonly string[] } } };
  readonly PreviousSpec?: object;
}

const serviceOf = async (swarm: Swarm): Promise<Service> => (await swarm.ask('GET', '/services/web')).json<Service>();

const header = (username: string) => ({
  'X-Registry-Auth': Buffer.from(JSON.stringify({ username, password: `secret of ${username}` })).toString('base64'),
});

/** Updates the environment of the service. */
async function update(swarm: Swarm, env: string, query = '', headers = {}): Promise<void> {
  // The orchestrator records the progress of the update before, and with it the service has another version.
  for (let isTaken = true; isTaken; ) isTaken = !(await tryUpdate(swarm, env, query, headers));
}

async function tryUpdate(swarm: Swarm, env: string, query: string, headers: Record<string, string>): Promise<boolean> {
  const { Spec, Version } = await serviceOf(swarm);
  const { TaskTemplate } = Spec;
  const spec = {
    ...Spec,
    TaskTemplate: { ...TaskTemplate, ContainerSpec: { ...TaskTemplate.ContainerSpec, Env: [env] } },
  };
  const answer = await swarm.ask('POST', `/services/web/update?version=${Version.Index}${query}`, spec, headers);
  const isStale = answer.text.includes('update out of sequence');
  if (answer.status !== 200 && !isStale) throw new Error(answer.text);
  return !isStale;
}

test('what happens to a service is published with what changed', async (t) => {
  const swarm = await startSwarm(t);
  const id = await swarm.create({ Mode: { Replicated: { Replicas: 0 } } });
  const { Spec, Version } = await serviceOf(swarm);
  const spec = { ...Spec, Mode: { Replicated: { Replicas: 2 } } };
  t.is((await swarm.ask('POST', `/services/web/update?version=${Version.Index}`, spec)).status, 200);
  await swarm.running(2);
  await swarm.ask('DELETE', '/services/web');
  const ofService = () => swarm.own.engine.events.filter(({ type }) => type === 'service');
  await eventually('the events', async () => ofService().some(({ action }) => action === 'remove'));
  t.deepEqual(
    ofService().map(({ action, actor, scope }) => [scope, action, actor.id]),
    [
      ['swarm', 'create', id],
      ['swarm', 'update', id],
      ['swarm', 'remove', id],
    ],
  );
  t.deepEqual(ofService()[1]?.actor.attributes, { name: 'web', 'replicas.old': '0', 'replicas.new': '2' });
});

test('a manual rollback restores the specification before the update', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create();
  const [first] = await swarm.running(1);
  await update(swarm, 'NEW=1');
  await eventually('the update', async () => {
    const [task] = await swarm.running(1);
    return task?.Spec.ContainerSpec.Env?.includes('NEW=1');
  });
  const { Spec, Version } = await serviceOf(swarm);
  const answer = await swarm.ask('POST', `/services/web/update?version=${Version.Index}&rollback=previous`, Spec);
  t.is(answer.status, 200);
  await eventually('the rollback', async () => {
    const [task] = await swarm.running(1);
    return task !== undefined && task.Spec.ContainerSpec.Env === undefined;
  });
  const restored = await serviceOf(swarm);
  t.is(restored.Spec.TaskTemplate.ContainerSpec.Env, undefined);
  t.deepEqual(restored.PreviousSpec, Spec);
  const again = `/services/web/update?version=${restored.Version.Index}&rollback=previous`;
  t.is((await swarm.ask('POST', again, Spec)).status, 200);
  t.deepEqual((await serviceOf(swarm)).Spec, Spec);
  t.not(first, undefined);
});

test('a log is asked for by its end as a number or all, and tasks by services and nodes that there are', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create({ Mode: { Replicated: { Replicas: 0 } } });
  for (const [tail, status] of [
    ['odd', 400],
    ['-1', 400],
    ['all', 200],
    ['3', 200],
  ] as const) {
    t.is((await swarm.ask('GET', `/services/web/logs?stdout=1&tail=${tail}`)).status, status, tail);
  }
  for (const filter of ['service', 'node']) {
    const filters = encodeURIComponent(JSON.stringify({ [filter]: ['nosuch'] }));
    const answer = await swarm.ask('GET', `/tasks?filters=${filters}`);
    t.deepEqual([answer.status, answer.json().message], [404, `${filter} nosuch not found`]);
  }
});

test('every update of a job and its rollback run it again, and what is shown of a service may be sent back', async (t) => {
  const swarm = await startSwarm(t);
  const TaskTemplate = { ContainerSpec: { Image: 'busybox' }, Placement: { Constraints: ['node.id==nosuch'] } };
  await swarm.create({ Mode: { ReplicatedJob: { MaxConcurrent: 1 } }, TaskTemplate });
  const runAgain = async (fields: object, query = ''): Promise<unknown> => {
    for (;;) {
      const { Spec, Version } = await serviceOf(swarm);
      const path = `/services/web/update?version=${Version.Index}${query}`;
      const { status, text } = await swarm.ask('POST', path, { ...Spec, ...fields });
      if (text.includes('update out of sequence')) continue;
      const { JobStatus } = (await swarm.ask('GET', '/services/web')).json<{ JobStatus?: { JobIteration: object } }>();
      return [status, JobStatus?.JobIteration];
    }
  };
  t.deepEqual(await runAgain({}), [200, { Index: 1 }]);
  t.deepEqual(await runAgain({ Labels: { a: 'b' } }), [200, { Index: 2 }]);
  t.deepEqual(await runAgain({}, '&rollback=previous'), [200, { Index: 3 }]);
});

test('a rollback to another word than previous is refused by name', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create({ Mode: { Replicated: { Replicas: 0 } } });
  const answer = await swarm.ask('POST', '/services/web/update?version=1&rollback=earlier', {});
  t.deepEqual([answer.status, answer.json().message], [400, 'rollback: "earlier" is none of previous']);
});

test('placeholders in the environment, the hostname and mounts are filled', async (t) => {
  const swarm = await startSwarm(t);
  await swarm.create({
    Labels: { team: 'blue' },
    TaskTemplate: {
      ContainerSpec: {
        Image: 'busybox',
        Command: ['sleep', '300'],
        StopGracePeriod: 100e6,
        Hostname: '{{.Service.Name}}-{{.Task.Slot}}',
        Env: ['WHO={{.Task.Name}}', 'NODE={{ .Node.ID }}', 'TEAM={{index .Service.Labels "team"}}'],
        Mounts: [{ Type: 'volume', Source: 'data-{{.Task.Slot}}', Target: '/{{.Service.Name}}' }],
      },
    },
  });
  const [task] = await swarm.running(1);
  const [container] = await swarm.containers();
  const { Config, HostConfig } = (await swarm.ask('GET', `/containers/${container?.Id}/json`)).json<{
    readonly Config: { readonly Hostname: string; readonly Env: readonly string[] };
    readonly HostConfig: { readonly IpcMode: string; readonly Mounts: readonly Mounted[] };
  }>();
  t.is(Config.Hostname, 'web-1');
  t.is(HostConfig.IpcMode, 'private', 'no other container gets at the memory that it shares');
  const [node] = (await swarm.ask('GET', '/nodes')).json<{ readonly ID: string }[]>();
  for (const entry of [`WHO=web.1.${task?.ID}`, `NODE=${node?.ID}`, 'TEAM=blue'])
    t.true(Config.Env.includes(entry), entry);
  t.deepEqual(
    HostConfig.Mounts.map(({ Source, Target }) => [Source, Target]),
    [['data-1', '/web']],
  );
});

interface Mounted {
  readonly Source: string;
  readonly Target: string;
}

test('a task whose service names no log driver has that of the swarm', async (t) => {
  const LogDriver = { Name: 'fake', Options: { 'max-file': '2' } };
  const swarm = await startSwarm(t, { spec: { TaskDefaults: { LogDriver } } });
  await swarm.create();
  await swarm.running(1);
  const [container] = await swarm.containers();
  const { HostConfig } = (await swarm.ask('GET', `/containers/${container?.Id}/json`)).json<{
    readonly HostConfig: { readonly LogConfig: object };
  }>();
  t.deepEqual(HostConfig.LogConfig, { Type: 'fake', Config: { 'max-file': '2' } });
});

/** Has the node of the engine offer graphics cards by these names. */
async function offer(swarm: Swarm, names: readonly string[]): Promise<void> {
  const { store } = await swarm.own.engine.kernel.service(ClusterService).manager();
  const [node] = store.list(nodes);
  if (node === undefined) throw new Error('there is no node');
  const { description } = node.value;
  const GenericResources = names.map((Value) => ({ NamedResourceSpec: { Kind: 'Gpu', Value } }));
  const changed = { ...description, Resources: { ...description.Resources, GenericResources } };
  await store.transact([updateRecord(nodes, node, { ...node.value, description: changed })]);
}

test('tasks are given generic resources by name, and leave when their node loses them', async (t) => {
  const swarm = await startSwarm(t);
  await offer(swarm, ['g1', 'g2']);
  const GenericResources = [{ DiscreteResourceSpec: { Kind: 'Gpu', Value: 1 } }];
  await swarm.create({
    Mode: { Replicated: { Replicas: 3 } },
    TaskTemplate: {
      ContainerSpec: { Image: 'busybox', Command: ['sleep', '300'], StopGracePeriod: 100e6, Env: ['A=1'] },
      Resources: { Reservations: { GenericResources } },
      RestartPolicy: { Delay: 0 },
    },
  });
  /** The variables of the running containers; there are as many tasks that wait for a card as there are others. */
  const variables = async (count: number): Promise<readonly string[]> => {
    const running = await swarm.running(count);
    await eventually('the reason of the others', async () => {
      const reasons = (await swarm.tasks()).flatMap(({ Status: status }) =>
        status.State === 'pending' ? status.Err : [],
      );
      return reasons.length === 3 - count && reasons.every((reason) => reason === lacksResources);
    });
    const found = running.map(async ({ Status: status }) => {
      const answer = await swarm.ask('GET', `/containers/${status.ContainerStatus?.ContainerID}/json`);
      return answer.json<{ Config: { Env: readonly string[] } }>().Config.Env.filter((one) => /^A=|^DOCKER_/.test(one));
    });
    return (await Promise.all(found)).map((all) => all.join(' ')).sort();
  };
  t.deepEqual(await variables(2), ['A=1 DOCKER_RESOURCE_GPU=g1', 'A=1 DOCKER_RESOURCE_GPU=g2']);
  const shown = (await swarm.ask('GET', '/tasks')).json<{ readonly GenericResources?: readonly object[] }[]>();
  t.deepEqual(
    new Set(shown.flatMap(({ GenericResources: given }) => given ?? []).map((one) => JSON.stringify(one))),
    new Set(['g1', 'g2'].map((Value) => JSON.stringify({ NamedResourceSpec: { Kind: 'Gpu', Value } }))),
  );
  await offer(swarm, ['g2']);
  t.deepEqual(await variables(1), ['A=1 DOCKER_RESOURCE_GPU=g2']);
});

const lacksResources = 'no suitable node (insufficient resources on 1 node)';

/** Every transaction takes a while, as those of etcd do: others begin meanwhile. */
async function slowDown(swarm: Swarm): Promise<void> {
  const { store } = await swarm.own.engine.kernel.service(ClusterService).manager();
  const transact = store.transact.bind(store);
  Object.assign(store, {
    async transact(...request: Parameters<typeof transact>) {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      return transact(...request);
    },
  });
}

test('a secret is not removed while a service that uses it is being created', async (t) => {
  const swarm = await startSwarm(t);
  await slowDown(swarm);
  const secret = await swarm.ask('POST', '/secrets/create', { Name: 'key', Data: 'c2VjcmV0' });
  const SecretID = String(secret.json().ID);
  const Secrets = [{ SecretID, SecretName: 'key', File: { Name: 'key', UID: '0', GID: '0', Mode: 0o444 } }];
  const ContainerSpec = { Image: 'busybox', Command: ['sleep', '300'], Secrets };
  const [created, removed] = await Promise.all([
    swarm.ask('POST', '/services/create', {
      Name: 'web',
      Mode: { Replicated: { Replicas: 0 } },
      TaskTemplate: { ContainerSpec },
    }),
    swarm.ask('DELETE', `/secrets/${SecretID}`),
  ]);
  t.deepEqual([created.status, removed.status].filter((status) => status < 300).length, 1);
});

interface Ported {
  readonly Version: { readonly Index: number };
  readonly Endpoint: { readonly Ports?: readonly { readonly PublishedPort: number }[] };
  readonly UpdateStatus?: { readonly State: string; readonly Message: string };
}

/**
 * A service that has published a port, is updated to publish none and to an image that cannot be pulled, and is rolled back
 * when another one has taken its port.
 */
async function rollBackWithout(t: Parameters<typeof startSwarm>[0], PublishedPort: number | undefined) {
  let fail = (): void => undefined;
  const failing = new Promise<void>((resolve) => (fail = resolve));
  const swarm = await startSwarm(t, {
    pull: async () => {
      await failing;
      throw notFound('there is no such image');
    },
  });
  const published = (port: number | undefined) => ({
    Ports: [{ TargetPort: 80, ...(port !== undefined && { PublishedPort: port }) }],
  });
  await swarm.create({ EndpointSpec: published(PublishedPort) });
  await swarm.running(1);
  const service = async () => (await swarm.ask('GET', '/services/web')).json<Ported>();
  const { Endpoint, Version } = await service();
  const [port] = Endpoint.Ports ?? [];
  const changed = {
    Name: 'web',
    TaskTemplate: { ContainerSpec: { Image: 'registry.example/absent:1' }, RestartPolicy: { Condition: 'none' } },
    UpdateConfig: { Parallelism: 1, FailureAction: 'rollback', Order: 'start-first' },
  };
  const answer = await swarm.ask('POST', `/services/web/update?version=${Version.Index}`, changed);
  if (answer.status !== 200) throw new Error(answer.text);
  await swarm.create({
    Name: 'other',
    EndpointSpec: published(port?.PublishedPort),
    Mode: { Replicated: { Replicas: 0 } },
  });
  fail();
  let rolledBack: Ported | undefined;
  await eventually('the rollback', async () => {
    rolledBack = await service();
    return /^(rollback_started|rollback_completed|paused)$/.test(rolledBack.UpdateStatus?.State ?? '');
  });
  return { before: port?.PublishedPort, after: rolledBack };
}

test('a failing update is rolled back to another port when its own was given to another service', async (t) => {
  const { after, before } = await rollBackWithout(t, undefined);
  const [port] = after?.Endpoint.Ports ?? [];
  t.regex(after?.UpdateStatus?.State ?? '', /^rollback_/);
  t.not(port?.PublishedPort, undefined);
  t.not(port?.PublishedPort, before);
});

test('a failing update that cannot be rolled back is paused, and says which port is in use', async (t) => {
  const { after } = await rollBackWithout(t, 18_080);
  t.is(after?.UpdateStatus?.State, 'paused');
  t.regex(
    after?.UpdateStatus?.Message ?? '',
    /^update paused due to failure .* it cannot be rolled back: .*port '18080' is already in use by service 'other'/,
  );
});

/** A swarm whose registry notes the users of pulls, and lacks every image. */
async function withRegistry(t: Parameters<typeof startSwarm>[0]) {
  const users: (string | undefined)[] = [];
  const swarm = await startSwarm(t, {
    pull: async ({ credentials }) => {
      users.push(credentials !== undefined && 'username' in credentials ? credentials.username : undefined);
      throw notFound('there is no such image');
    },
  });
  const spec = {
    Name: 'web',
    TaskTemplate: {
      ContainerSpec: { Image: 'registry.example/absent:1' },
      RestartPolicy: { Condition: 'none' },
    },
    UpdateConfig: { FailureAction: 'continue' },
  };
  const answer = await swarm.ask('POST', '/services/create', spec, header('first'));
  if (answer.status !== 201) throw new Error(answer.text);
  const pulled = (count: number) => eventually(`pull ${count}`, async () => users.length >= count);
  await pulled(1);
  return { swarm, users, pulled };
}

test('images are pulled with the credentials of the service, which the store does not show', async (t) => {
  const { swarm, users } = await withRegistry(t);
  t.deepEqual(users, ['first']);
  const { store } = await swarm.own.engine.kernel.service(ClusterService).manager();
  let snapshot = '';
  for await (const chunk of await store.snapshot()) snapshot += chunk;
  t.true(snapshot.includes('Credentials'));
  t.false(snapshot.includes('secret of first') || snapshot.includes(header('first')['X-Registry-Auth']));
  t.false((await swarm.ask('GET', '/services/web')).text.includes('Credentials'));
});

test('an update keeps the credentials, or takes those of the previous specification', async (t) => {
  const { pulled, swarm, users } = await withRegistry(t);
  await update(swarm, 'A=1');
  await pulled(2);
  await update(swarm, 'A=2', '', header('second'));
  await pulled(3);
  await update(swarm, 'A=3', '&registryAuthFrom=previous-spec');
  await pulled(4);
  t.deepEqual(users, ['first', 'first', 'second', 'first']);
});
