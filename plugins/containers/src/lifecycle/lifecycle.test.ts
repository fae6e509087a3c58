import { notFound } from '@gantry/core/errors';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { ContainerService } from '../service.js';
import { AcceleratedClock } from '../testing/accelerated-clock.js';
import { startContainers } from '../testing/start-containers.js';

const running = ['sleep', '300'];

test('a container runs from create to remove, and leaves nothing', async (t) => {
  const { actions, create, engine, host, inspect, post } = await startContainers(t);
  const id = await create({ Cmd: ['sh', '-c', 'exit 4'] }, 'one');
  t.is((await inspect('one')).State.Status, 'created');
  t.is(await post(`${id}/start`), 204);
  t.is((await engine.ask('POST', `/containers/${id}/wait`)).json().StatusCode, 4);
  const { State } = await inspect(id);
  t.like(State, { Status: 'exited', Running: false, ExitCode: 4 });
  t.true(State.StartedAt <= State.FinishedAt);
  t.is((await engine.ask('DELETE', '/containers/one')).status, 204);
  t.is((await engine.ask('GET', '/containers/one/json')).status, 404);
  t.deepEqual(actions(), ['create', 'start', 'die', 'destroy']);
  t.deepEqual(host.held, []);
  t.is(host.writables.size, 0);
});

test('an unknown image, a bad and a taken name are refused, and nothing is made', async (t) => {
  const { create, engine, host } = await startContainers(t);
  await create({}, 'taken');
  const refused = async (query: string, body: object) => {
    const answer = await engine.ask('POST', `/containers/create${query}`, { body });
    return `${answer.status} ${answer.json().message}`;
  };
  t.is(await refused('', { Image: 'nosuch' }), '404 No such image: nosuch:latest');
  t.regex(await refused('?name=a%20b', { Image: 'busybox' }), /^400 Invalid container name \(a b\), only /);
  t.regex(
    await refused('?name=taken', { Image: 'busybox' }),
    /^409 Conflict\. The container name "\/taken" is already in/,
  );
  t.is(host.writables.size, 1);
});

test('two creates of one name at once make one container', async (t) => {
  const { engine, host } = await startContainers(t);
  const body = { Image: 'busybox' };
  const answers = await Promise.all([1, 2, 3].map(() => engine.ask('POST', '/containers/create?name=same', { body })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  t.is(host.writables.size, 1);
});

test('a volume is in use before its container is stored, and by no container that is not', async (t) => {
  const { create, engine, host } = await startContainers(t);
  const HostConfig = { Binds: ['kept:/data'] };
  const id = await create({ HostConfig });
  t.deepEqual(host.usersWhenEnsured.get('kept'), [id]);
  await t.throwsAsync(host.volumeService.remove('kept'), { message: `remove kept: volume is in use - [${id}]` });
  host.failing.add('storage.createWritable');
  t.is((await engine.ask('POST', '/containers/create', { body: { Image: 'busybox', HostConfig } })).status, 500);
  t.is((await engine.ask('DELETE', `/containers/${id}`)).status, 204);
  await t.notThrowsAsync(host.volumeService.remove('kept'));
});

for (const step of ['storage.createWritable', 'volumes.ensure']) {
  test(`a create whose ${step} fails leaves nothing`, async (t) => {
    const { internals, engine, host, create } = await startContainers(t);
    host.failing.add(step);
    const body = { Image: 'busybox', Volumes: { '/data': {} } };
    t.is((await engine.ask('POST', '/containers/create?name=x', { body })).status, 500);
    t.is(host.writables.size, 0);
    t.is(host.volumes.size, 0);
    t.is(internals().store.orphanedVolumes().length, 0);
    await t.notThrowsAsync(create({}, 'x'));
  });
}

for (const step of ['storage.mount', 'networks.open', 'volumes.mount']) {
  test(`a start whose ${step} fails leaves nothing, and the next one works`, async (t) => {
    const { actions, create, host, inspect, post, runtime } = await startContainers(t);
    const id = await create({ Cmd: running, Volumes: { '/data': {} } });
    host.failing.add(step);
    t.is(await post(`${id}/start`), 500);
    t.like((await inspect(id)).State, { Status: 'created', Running: false, ExitCode: 128 });
    t.regex((await inspect(id)).State.Error, new RegExp(step));
    t.deepEqual(host.held, []);
    t.deepEqual(await runtime().tasks(), []);
    t.is(await post(`${id}/start`), 204);
    t.is((await inspect(id)).State.Error, '');
    t.is(host.held.length, 3);
    await post(`${id}/kill`);
    t.deepEqual(host.held, []);
    t.deepEqual(actions(), ['create', 'die', 'start', 'kill', 'die']);
  });
}

test('a program that is not there fails the start with its code', async (t) => {
  const { create, engine, host, inspect } = await startContainers(t);
  const id = await create({ Cmd: ['nosuch'] });
  const answer = await engine.ask('POST', `/containers/${id}/start`);
  t.is(answer.status, 500);
  t.regex(answer.text, /executable file not found/);
  t.like((await inspect(id)).State, { Status: 'created', ExitCode: 127 });
  t.deepEqual(host.held, []);
});

test('a failed start publishes its exit code, and removes a container with AutoRemove', async (t) => {
  const { create, engine, host, post } = await startContainers(t);
  const id = await create({ Cmd: ['nosuch'], HostConfig: { AutoRemove: true } });
  t.is(await post(`${id}/start`), 500);
  const died = engine.events.find(({ action }) => action === 'die');
  t.is(died?.actor.attributes.exitCode, '127');
  await eventually('the removal', async () => (await engine.ask('GET', `/containers/${id}/json`)).status === 404);
  t.is(host.writables.size, 0);
});

test('a task that an exit failed to delete does not prevent the next start', async (t) => {
  const { create, inspect, post, runtime } = await startContainers(t);
  const id = await create({ Cmd: ['true'] });
  const driver = runtime();
  const remove = driver.delete.bind(driver);
  let refused = 0;
  driver.delete = async () => {
    refused += 1;
    driver.delete = remove;
    throw new Error('the kernel did not answer');
  };
  t.is(await post(`${id}/start`), 204);
  t.is(await post(`${id}/wait`), 200);
  t.is(await post(`${id}/start`), 204);
  t.is(await post(`${id}/wait`), 200);
  t.is((await inspect(id)).State.ExitCode, 0);
  t.is(refused, 1);
});

test('start and stop of what is so already answer 304', async (t) => {
  const { create, post } = await startContainers(t);
  const id = await create({ Cmd: running });
  t.is(await post(`${id}/stop`), 304);
  t.is(await post(`${id}/start`), 204);
  t.is(await post(`${id}/start`), 304);
  t.is(await post(`${id}/kill`), 204);
  t.is(await post(`${id}/stop`), 304);
});

test('stop asks, then kills, and says so in order', async (t) => {
  const { actions, create, inspect, post } = await startContainers(t);
  const stubborn = await create({ Cmd: running });
  await post(`${stubborn}/start`);
  t.is(await post(`${stubborn}/stop?t=0`), 204);
  t.is((await inspect(stubborn)).State.ExitCode, 137);
  const polite = await create({ Cmd: ['sh', '-c', 'trap "exit 3" TERM; while :; do sleep 0.01; done'] });
  await post(`${polite}/start`);
  await eventually('the trap', async () => (await inspect(polite)).State.Running);
  t.is(await post(`${polite}/stop`), 204);
  t.deepEqual(actions(), ['create', 'start', 'kill', 'kill', 'die', 'stop', 'create', 'start', 'kill', 'die', 'stop']);
});

test('a paused container is stopped without being unpaused first', async (t) => {
  const { create, inspect, post } = await startContainers(t);
  const id = await create({ Cmd: running });
  await post(`${id}/start`);
  t.is(await post(`${id}/pause`), 204);
  t.is((await inspect(id)).State.Status, 'paused');
  t.is(await post(`${id}/pause`), 500);
  t.is(await post(`${id}/start`), 500);
  t.is(await post(`${id}/stop?t=0`), 204);
  t.is((await inspect(id)).State.Status, 'exited');
  t.is(await post(`${id}/unpause`), 500);
});

test('restart stops and starts', async (t) => {
  const { actions, create, inspect, post } = await startContainers(t);
  const id = await create({ Cmd: running });
  await post(`${id}/start`);
  const before = (await inspect(id)).State.StartedAt;
  t.is(await post(`${id}/restart?t=0`), 204);
  t.true((await inspect(id)).State.StartedAt > before);
  t.deepEqual(actions(), ['create', 'start', 'kill', 'kill', 'die', 'stop', 'start', 'restart']);
  await post(`${id}/kill`);
});

test('signals have names and numbers, and an unknown one is refused', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sh', '-c', 'trap "exit 21" USR1; while :; do sleep 0.01; done'] });
  await post(`${id}/start`);
  const bad = await engine.ask('POST', `/containers/${id}/kill?signal=NOSUCH`);
  t.deepEqual([bad.status, bad.json().message], [400, 'Invalid signal: NOSUCH']);
  await eventually('the handler', async () => {
    await post(`${id}/kill?signal=SIGUSR1`);
    return !engine.events.every(({ action }) => action !== 'die');
  });
  t.is((await engine.ask('POST', `/containers/${id}/wait`)).json().StatusCode, 21);
  t.is(await post(`${id}/kill`), 500);
});

test('a rename takes the new name and gives the old one back', async (t) => {
  const { create, engine, inspect, post } = await startContainers(t);
  const id = await create({}, 'old');
  await create({}, 'other');
  t.is(await post('old/rename?name=other'), 409);
  t.is(await post('old/rename?name=new'), 204);
  t.is((await inspect('new')).Name, '/new');
  t.is((await engine.ask('GET', '/containers/old/json')).status, 404);
  await create({}, 'old');
  t.is((await inspect(id.slice(0, 12))).Name, '/new');
});

test('a running container is removed by force only, and its own volumes with v', async (t) => {
  const { actions, create, engine, host, post } = await startContainers(t);
  const id = await create({ Cmd: running, Volumes: { '/data': {} } });
  await post(`${id}/start`);
  const refused = await engine.ask('DELETE', `/containers/${id}`);
  t.is(refused.status, 409);
  t.regex(refused.text, /You cannot remove a running container/);
  t.is((await engine.ask('DELETE', `/containers/${id}?force=1&v=1`)).status, 204);
  t.deepEqual(host.held, []);
  t.is(host.volumes.size, 0);
  t.is(host.writables.size, 0);
  t.deepEqual(actions(), ['create', 'start', 'kill', 'die', 'destroy']);
});

test('a removal that fails leaves a dead container, which can be removed again', async (t) => {
  const { create, engine, host, inspect } = await startContainers(t);
  const id = await create();
  host.failing.add('storage.removeWritable');
  t.is((await engine.ask('DELETE', `/containers/${id}`)).status, 500);
  t.is((await inspect(id)).State.Status, 'dead');
  // Its layer may be gone already.
  host.storage.describe = () => Promise.reject(notFound('no such layer'));
  t.is((await inspect(id)).State.Status, 'dead');
  t.is((await engine.ask('DELETE', `/containers/${id}`)).status, 204);
});

test('a container that is to be removed when it ends is', async (t) => {
  const { actions, create, host, post } = await startContainers(t);
  const id = await create({ Cmd: ['true'], HostConfig: { AutoRemove: true } });
  await post(`${id}/start`);
  await eventually('the removal', () => actions().includes('destroy'));
  t.is(host.writables.size, 0);
});

test('an update is kept, and refused for what is being removed', async (t) => {
  const { create, engine, inspect } = await startContainers(t);
  const id = await create();
  const policy = { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 4 } };
  t.is((await engine.ask('POST', `/containers/${id}/update`, { body: policy })).status, 200);
  t.deepEqual((await inspect(id)).HostConfig.RestartPolicy, policy.RestartPolicy);
});

test('a kill that the container outlives ends with a reason, and other containers do not wait', async (t) => {
  const { create, engine, post, runtime } = await startContainers(t, { clock: new AcceleratedClock() });
  const stuck = await create({ Cmd: running });
  await post(`${stuck}/start`);
  const driver = runtime();
  const kill = driver.kill.bind(driver);
  driver.kill = async () => undefined;
  const stopping = engine.ask('POST', `/containers/${stuck}/stop?t=0`);
  const other = await create({ Cmd: ['true'] });
  t.is(await post(`${other}/start`), 204);
  t.is((await engine.ask('GET', '/containers/json')).status, 200);
  const answer = await stopping;
  t.is(answer.status, 500);
  t.regex(answer.text, /is still there 10 s after SIGKILL/);
  driver.kill = kill;
  t.is(await post(`${stuck}/kill`), 204);
});

test('counts distinguish running, paused and stopped', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const [a, b] = [await create({ Cmd: running }), await create({ Cmd: running })];
  await create();
  await post(`${a}/start`);
  await post(`${b}/start`);
  await post(`${b}/pause`);
  t.deepEqual(engine.kernel.service(ContainerService).counts(), { total: 3, running: 1, paused: 1, stopped: 1 });
  await post(`${a}/kill`);
  await post(`${b}/kill`);
});

test('a start that fails removes a container that is to be removed at its end', async (t) => {
  const { create, engine, host, post } = await startContainers(t);
  const id = await create({ Cmd: ['nosuch'], HostConfig: { AutoRemove: true } });
  t.is(await post(`${id}/start`), 500);
  await eventually('the removal', async () => (await engine.ask('GET', `/containers/${id}/json`)).status === 404);
  t.is(host.writables.size, 0);
});

test('an engine that stops begins nothing new and lets what is under way end', async (t) => {
  const { internals, create, engine, host } = await startContainers(t);
  const ids = await Promise.all(Array.from({ length: 10 }, () => create({ Cmd: running })));
  const starts = ids.map((id) =>
    engine.ask('POST', `/containers/${id}/start`).then(
      ({ status }) => status,
      () => 0,
    ),
  );
  const { store } = internals();
  await engine.kernel.stop();
  await Promise.all(starts);
  for (const { record } of store.all()) t.true(['created', 'running'].includes(record.state.status));
  t.is(host.mounted.size, [...store.all()].filter(({ record }) => record.state.status === 'running').length);
  await engine.restart();
  for (const id of ids) await engine.ask('DELETE', `/containers/${id}?force=1`);
  t.deepEqual(host.held, []);
});

test('wait returns at the first exit of a container that its policy restarts', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sh', '-c', 'exit 5'], HostConfig: { RestartPolicy: { Name: 'always' } } });
  await post(`${id}/start`);
  t.is((await engine.ask('POST', `/containers/${id}/wait`)).json().StatusCode, 5);
  await post(`${id}/stop`);
});

test('an image of another platform than the create names is not found, so that clients pull it', async (t) => {
  const { engine } = await startContainers(t);
  const create = (platform: string) =>
    engine.ask('POST', `/containers/create?platform=${platform}`, { body: { Image: 'busybox' } });
  const host = process.arch === 'x64' ? 'amd64' : process.arch;
  for (const platform of ['', 'linux', `linux/${host}`]) t.is((await create(platform)).status, 201, platform);
  const other = await create('linux/s390x');
  t.is(other.status, 404);
  t.is(
    other.json().message,
    `image with reference busybox was found but its platform (linux/${host}) does not match the specified platform (linux/s390x)`,
  );
  t.is((await create('a/b/c/d')).status, 400);
});
