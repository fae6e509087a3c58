import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { startApi } from './testing/start-engine.js';

const sleeping = { Cmd: ['sleep', '300'] };
/** Obeys TERM, and says when it can. */
const obedient = { Cmd: ['sh', '-c', 'trap "exit 0" TERM; echo ready; sleep 300'] };

test('a container is created, runs to its end and is removed', async (t) => {
  const api = await startApi(t);
  const made = await api.post('/containers/create?name=web', {
    Image: 'busybox',
    Cmd: ['sh', '-c', 'exit 3'],
    Labels: { a: '1' },
  });
  t.is(made.status, 201);
  const { Id: id, Warnings } = made.json<{ Id: string; Warnings: unknown }>();
  t.regex(id, /^[0-9a-f]{64}$/);
  t.deepEqual(Warnings, []);
  const created = await api.inspect('web');
  t.like(created, { Id: id, Name: '/web', Path: 'sh', Args: ['-c', 'exit 3'] });
  t.like(created.State, { Status: 'created', Running: false, StartedAt: '0001-01-01T00:00:00Z' });
  t.like(created.Config, { Hostname: id.slice(0, 12), Labels: { a: '1' } });
  t.is((await api.post('/containers/web/start')).status, 204);
  t.like((await api.post('/containers/web/wait')).json(), { StatusCode: 3 });
  const { State } = await api.inspect(id);
  t.like(State, { Status: 'exited', ExitCode: 3, Running: false, Pid: 0 });
  t.true(Date.parse(State.FinishedAt) >= Date.parse(State.StartedAt));
  const removed = await api.delete(`/containers/${id.slice(0, 12)}`);
  t.deepEqual([removed.status, removed.text], [204, '']);
  t.deepEqual(await api.refusal(api.get(`/containers/${id}/json`)), [404, `No such container: ${id}`]);
});

test('what is done already is not done again', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  t.is((await api.post(`/containers/${id}/start`)).status, 304);
  await api.post(`/containers/${id}/kill`);
  await api.post(`/containers/${id}/wait`);
  t.is((await api.post(`/containers/${id}/stop`)).status, 304);
  t.is((await api.post(`/containers/${await api.create(sleeping)}/stop`)).status, 304);
});

test('wait answers at once for what does not run, and at the end for what does', async (t) => {
  const api = await startApi(t);
  t.like((await api.post(`/containers/${await api.create(sleeping)}/wait`)).json(), { StatusCode: 0 });
  const id = await api.run(sleeping);
  let ended = false;
  const waiting = api.post(`/containers/${id}/wait`).then((answer) => {
    ended = true;
    return answer;
  });
  await api.get(`/containers/${id}/json`);
  t.false(ended);
  await api.post(`/containers/${id}/kill`);
  t.like((await waiting).json(), { StatusCode: 137 });
});

test('a signal is a name, a number, or KILL', async (t) => {
  const api = await startApi(t);
  for (const [signal, code] of [
    ['', 137],
    ['?signal=9', 137],
    ['?signal=SIGKILL', 137],
    ['?signal=kill', 137],
  ] as const) {
    const id = await api.run(sleeping);
    t.is((await api.post(`/containers/${id}/kill${signal}`)).status, 204, signal);
    t.like((await api.post(`/containers/${id}/wait`)).json(), { StatusCode: code }, signal);
  }
  const id = await api.run(sleeping);
  t.deepEqual(await api.refusal(api.post(`/containers/${id}/kill?signal=NOSUCH`)), [400, 'Invalid signal: NOSUCH']);
});

test('stop asks first and insists later', async (t) => {
  const api = await startApi(t);
  const obeys = await api.run(obedient);
  await eventually('the trap', async () =>
    (await api.get(`/containers/${obeys}/logs?stdout=1`)).text.includes('ready'),
  );
  t.is((await api.post(`/containers/${obeys}/stop?t=30`)).status, 204);
  t.is((await api.inspect(obeys)).State.ExitCode, 0);
  const ignores = await api.run(sleeping);
  t.is((await api.post(`/containers/${ignores}/stop?t=0`)).status, 204);
  t.is((await api.inspect(ignores)).State.ExitCode, 137);
});

test('restart runs it again, whether it ran or not', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const first = await api.inspect(id);
  t.is((await api.post(`/containers/${id}/restart?t=0`)).status, 204);
  const second = await api.inspect(id);
  t.like(second.State, { Status: 'running', Running: true });
  t.true(Date.parse(second.State.StartedAt) > Date.parse(first.State.StartedAt));
  t.is(second.RestartCount, 0);
  const fresh = await api.create(sleeping);
  t.is((await api.post(`/containers/${fresh}/restart`)).status, 204);
  t.true((await api.inspect(fresh)).State.Running);
});

test('a paused container is both running and paused, and takes stop and kill', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping, 'web');
  t.is((await api.post('/containers/web/pause')).status, 204);
  t.like((await api.inspect(id)).State, { Status: 'paused', Running: true, Paused: true });
  t.deepEqual(await api.refusal(api.post('/containers/web/start')), [
    500,
    'cannot start a paused container, try unpause instead',
  ]);
  const [status, words] = await api.refusal(api.post('/containers/web/pause'));
  t.is(status, 500);
  t.regex(words, /^Container .* is already paused$/);
  t.is((await api.post('/containers/web/unpause')).status, 204);
  t.like((await api.inspect(id)).State, { Status: 'running', Paused: false });
  t.regex((await api.refusal(api.post('/containers/web/unpause')))[1], /^Container .* is not paused$/);
  await api.post('/containers/web/pause');
  t.is((await api.post('/containers/web/kill')).status, 204);
  t.like((await api.post('/containers/web/wait')).json(), { StatusCode: 137 });
});

test('a program that is not there fails the start, and says so in inspect', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ Cmd: ['/no/such'] });
  const [status, words] = await api.refusal(api.post(`/containers/${id}/start`));
  t.true(status >= 400, String(status));
  t.regex(words, /no such file|not found/);
  const { State } = await api.inspect(id);
  t.like(State, { Status: 'created', Running: false, ExitCode: 127 });
  t.true(State.Error.length > 0);
});

test('a running container is removed by force only', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  t.deepEqual(await api.refusal(api.delete(`/containers/${id}`)), [
    409,
    `You cannot remove a running container ${id}. Stop the container before attempting removal or force remove`,
  ]);
  t.is((await api.delete(`/containers/${id}?force=1`)).status, 204);
  t.deepEqual((await api.get('/containers/json?all=1')).json(), []);
});

test('a name is taken once, and free again after removal and renaming', async (t) => {
  const api = await startApi(t);
  const id = await api.create({}, 'web');
  const taken = `Conflict. The container name "/web" is already in use by container "${id}". You have to remove (or rename) that container to be able to reuse that name.`;
  const again = () => api.post('/containers/create?name=web', { Image: 'busybox' });
  t.deepEqual(await api.refusal(again()), [409, taken]);
  const other = await api.create({}, 'other');
  t.is((await api.refusal(api.post('/containers/other/rename?name=web')))[0], 409);
  t.is((await api.post('/containers/web/rename?name=fresh')).status, 204);
  t.is((await api.inspect('fresh')).Id, id);
  t.is((await again()).status, 201);
  t.is((await api.delete(`/containers/${other}`)).status, 204);
  t.is((await api.post('/containers/create?name=other', { Image: 'busybox' })).status, 201);
});

test('without a name one is made up', async (t) => {
  const api = await startApi(t);
  t.regex((await api.inspect(await api.create())).Name, /^\/[a-z]+_[a-z]+\d*$/);
});

test('limits are changed while it runs, and are kept', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const answer = await api.post(`/containers/${id}/update`, {
    RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 2 },
  });
  t.is(answer.status, 200);
  t.like((await api.inspect(id)).HostConfig, { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 2 } });
});

test('a restart policy runs it again as often as it says', async (t) => {
  const api = await startApi(t);
  const id = await api.run({
    Cmd: ['false'],
    HostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 2 } },
  });
  await eventually('the last run', async () => {
    const { RestartCount, State } = await api.inspect(id);
    return RestartCount === 2 && State.Status === 'exited';
  });
  t.is((await api.inspect(id)).State.ExitCode, 1);
});

test('two requests at once for one container come one after the other', async (t) => {
  const api = await startApi(t);
  const id = await api.create(sleeping);
  const starts = await Promise.all([1, 2, 3].map(() => api.post(`/containers/${id}/start`)));
  t.deepEqual(starts.map(({ status }) => status).sort(), [204, 304, 304]);
  const removals = await Promise.all([1, 2].map(() => api.delete(`/containers/${id}?force=1`)));
  t.true(removals.some(({ status }) => status === 204));
  t.is((await api.get(`/containers/${id}/json`)).status, 404);
});
