import { buffer } from 'node:stream/consumers';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { outputOf } from './testing/frames.js';
import { type ApiEngine, startApi } from './testing/start-engine.js';

const sleeping = { Cmd: ['sleep', '300'] };

async function create(api: ApiEngine, id: string, body: object): Promise<string> {
  const answer = await api.post(`/containers/${id}/exec`, { AttachStdout: true, AttachStderr: true, ...body });
  return answer.json<{ Id: string }>().Id;
}

const exitCode = async (api: ApiEngine, exec: string) => (await api.get(`/exec/${exec}/json`)).json().ExitCode;

test('a process runs in a container, with output, exit code and events', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const exec = await create(api, id, { Cmd: ['sh', '-c', 'echo out; echo err >&2; exit 3'] });
  t.deepEqual((await api.inspect(id)).ExecIDs, [exec]);
  const answer = await api.post(`/exec/${exec}/start`, {});
  t.deepEqual(outputOf(answer.bytes), { stdout: 'out\n', stderr: 'err\n' });
  t.is(await exitCode(api, exec), 3);
  t.deepEqual(
    api.events.filter(({ action }) => action.startsWith('exec_')).map(({ action }) => action),
    [
      'exec_create: sh -c echo out; echo err >&2; exit 3',
      'exec_start: sh -c echo out; echo err >&2; exit 3',
      'exec_die',
    ],
  );
});

test('input reaches the process, and its end too', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const exec = await create(api, id, { Cmd: ['wc', '-c'], AttachStdin: true });
  const socket = await api.hijack('POST', `/exec/${exec}/start`, { body: {} });
  socket.end('1234567');
  t.is(outputOf(await buffer(socket)).stdout.trim(), '7');
});

test("the container's environment and directory are the process's, with what is added", async (t) => {
  const api = await startApi(t);
  const id = await api.run({ ...sleeping, Env: ['A=1'], WorkingDir: '/tmp', Hostname: 'inside' });
  const exec = await create(api, id, { Cmd: ['sh', '-c', 'pwd; hostname; echo $A $B'], Env: ['B=2'] });
  t.is(outputOf((await api.post(`/exec/${exec}/start`, {})).bytes).stdout, '/tmp\ninside\n1 2\n');
});

test('a missing program is reported in the output stream', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const exec = await create(api, id, { Cmd: ['/no/such'] });
  const answer = await api.post(`/exec/${exec}/start`, {});
  t.is(answer.status, 200);
  t.regex(outputOf(answer.bytes).stdout, /no such file|not found/);
  t.is(Number(await exitCode(api, exec)), 126);
  const newer = await create(api, id, { Cmd: ['/no/such'] });
  t.is((await api.post(`/v1.42/exec/${newer}/start`, {})).status, 200);
  t.is(Number(await exitCode(api, newer)), 127);
});

test('a detached process goes on by itself', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const exec = await create(api, id, { Cmd: ['sh', '-c', 'sleep 0.05; exit 5'] });
  t.is((await api.post(`/exec/${exec}/start`, { Detach: true })).text, '');
  await eventually('the exit code', async () => (await exitCode(api, exec)) === 5);
  t.pass();
});

test('a process ends with its container', async (t) => {
  const api = await startApi(t);
  const id = await api.run(sleeping);
  const exec = await create(api, id, sleeping);
  const socket = await api.hijack('POST', `/exec/${exec}/start`, { body: {} });
  const ending = buffer(socket);
  await eventually('the process', async () => Number((await api.get(`/exec/${exec}/json`)).json().Pid) > 0);
  await api.post(`/containers/${id}/kill`);
  await ending;
  t.is(await exitCode(api, exec), 137);
});

test('a container that does not run, or is paused, takes none', async (t) => {
  const api = await startApi(t);
  const { id } = await api.runToEnd({ Cmd: ['true'] });
  t.deepEqual(await api.refusal(api.post(`/containers/${id}/exec`, { Cmd: ['true'] })), [
    409,
    `Container ${id} is not running`,
  ]);
  const paused = await api.run(sleeping);
  await api.post(`/containers/${paused}/pause`);
  t.deepEqual(await api.refusal(api.post(`/containers/${paused}/exec`, { Cmd: ['true'] })), [
    409,
    `Container ${paused} is paused, unpause the container before exec`,
  ]);
});
