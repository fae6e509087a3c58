import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { TaskStartError } from '@gantry/core/contracts';
import { frame } from '@gantry/core/streams';
import engineApi from '@gantry/engine-api';
import { eventually, startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import test from 'ava';
import exec from './index.js';
import { FakeContainers, type FakeProcess, fakeContainers } from './testing/fake-containers.js';

async function start(t: TestOwner) {
  const containers = new FakeContainers();
  const engine = await startEngine(t, [engineApi, fakeContainers(containers), exec]);
  return { containers, engine };
}

async function create(engine: TestEngine, more: object = {}): Promise<string> {
  const body = { AttachStdout: true, AttachStderr: true, Cmd: ['sh', '-c', 'true'], ...more };
  return (await engine.ask('POST', '/containers/web/exec', { body })).json<{ Id: string }>().Id;
}

const running = (containers: FakeContainers): Promise<FakeProcess> =>
  eventually('the process', () => containers.processes.at(-1));

const framed = (stream: 'stdout' | 'stderr', words: string): string =>
  Buffer.from(frame(stream, Buffer.from(words))).toString('latin1');

test('an exec is created, and inspected before its start', async (t) => {
  const { containers, engine } = await start(t);
  const answer = await engine.ask('POST', '/containers/web/exec', {
    body: { Cmd: ['sleep', '30'], User: '5', Tty: true },
  });
  t.is(answer.status, 201);
  const { Id: id } = answer.json<{ Id: string }>();
  t.deepEqual(answer.json(), { Id: id, Warnings: [] });
  t.deepEqual((await engine.ask('GET', `/exec/${id}/json`)).json(), {
    ID: id,
    ContainerID: 'c1',
    Running: false,
    ExitCode: null,
    CanRemove: false,
    DetachKeys: '',
    OpenStdin: false,
    OpenStdout: false,
    OpenStderr: false,
    Pid: 0,
    ProcessConfig: { entrypoint: 'sleep', arguments: ['30'], tty: true, privileged: false, user: '5' },
  });
  t.deepEqual(containers.execs('c1'), [id]);
});

test('a start without Upgrade answers 200 and frames the output; the exit code is known at the end', async (t) => {
  const { containers, engine } = await start(t);
  const id = await create(engine);
  const answering = engine.ask('POST', `/exec/${id}/start`, { body: {} });
  const process = await running(containers);
  t.like((await engine.ask('GET', `/exec/${id}/json`)).json(), { Running: true, Pid: 42 });
  process.write('stdout', 'o');
  process.write('stderr', 'e');
  process.end(3);
  const answer = await answering;
  t.is(answer.status, 200);
  t.is(answer.headers['content-type'], 'application/vnd.engine.multiplexed-stream');
  t.is(answer.bytes.toString('latin1'), framed('stdout', 'o') + framed('stderr', 'e'));
  t.like((await engine.ask('GET', `/exec/${id}/json`)).json(), { Running: false, ExitCode: 3, CanRemove: true });
});

test('a start with Upgrade carries input, and its end is the end of stdin', async (t) => {
  const { containers, engine } = await start(t);
  const id = await create(engine, { AttachStdin: true });
  const socket = await engine.hijack('POST', `/exec/${id}/start`, { body: {} });
  const process = await running(containers);
  t.true(process.request.openStdin);
  socket.end('input');
  await eventually('the end of stdin', () => process.input.at(-1) === 'EOF');
  t.is(process.input.join(' '), 'input EOF');
  process.write('stdout', 'output');
  process.end(0);
  t.is((await text(socket)).slice(8), 'output');
});

test('only the streams that were asked for are sent', async (t) => {
  const { containers, engine } = await start(t);
  const id = await create(engine, { AttachStdout: false });
  const answering = engine.ask('POST', `/exec/${id}/start`, { body: {} });
  const process = await running(containers);
  process.write('stdout', 'o');
  process.write('stderr', 'e');
  process.end(0);
  t.is((await answering).bytes.toString('latin1'), framed('stderr', 'e'));
});

test('a terminal is raw, and is resized', async (t) => {
  const { containers, engine } = await start(t);
  const id = await create(engine, { Tty: true });
  const socket = await engine.hijack('POST', `/exec/${id}/start`, { body: { Tty: true } });
  const process = await running(containers);
  const resized = await engine.ask('POST', `/exec/${id}/resize?h=22&w=55`);
  t.deepEqual([resized.status, resized.headers['content-type']], [201, 'text/plain; charset=utf-8']);
  t.deepEqual(process.sizes, [{ height: 22, width: 55 }]);
  process.write('stdout', 'raw');
  process.end(0);
  t.is(await text(socket), 'raw');
});

test('a terminal has the size of its start, or of its creation', async (t) => {
  const { containers, engine } = await start(t);
  const sizes = [
    [{ ConsoleSize: [24, 80] }, {}, { height: 24, width: 80 }],
    [{ ConsoleSize: [24, 80] }, { ConsoleSize: [30, 90] }, { height: 30, width: 90 }],
    [{ ConsoleSize: [0, 80] }, {}, undefined],
  ] as const;
  for (const [created, started, consoleSize] of sizes) {
    const id = await create(engine, { Tty: true, ...created });
    await engine.ask('POST', `/exec/${id}/start`, { body: { Tty: true, Detach: true, ...started } });
    t.deepEqual(containers.requested.at(-1)?.consoleSize, consoleSize);
  }
  const refused = await engine.ask('POST', '/containers/web/exec', { body: { Cmd: ['sh'], ConsoleSize: [24] } });
  t.is(refused.status, 400);
  t.regex(String(refused.bytes), /ConsoleSize: \[24\] is not a height and a width/);
});

test('the size of an exec that does not run cannot be set: the document lists 404', async (t) => {
  const { engine } = await start(t);
  const id = await create(engine, { Tty: true });
  t.is((await engine.ask('POST', `/exec/${id}/resize?h=22&w=55`)).status, 404);
  t.is((await engine.ask('POST', `/exec/${id}/resize?h=high&w=55`)).status, 400);
});

test('a client reads frames or none as it asked for at the start, whatever the instance was created with', async (t) => {
  for (const Tty of [true, false]) {
    const { containers, engine } = await start(t);
    const id = await create(engine, { Tty: !Tty });
    const answering = engine.ask('POST', `/exec/${id}/start`, { body: { Tty } });
    const process = await running(containers);
    process.write('stdout', 'o');
    process.end(0);
    t.is((await answering).bytes.toString('latin1'), Tty ? 'o' : framed('stdout', 'o'));
  }
});

test('detach keys end the stream, publish an event, and leave the process running', async (t) => {
  const { containers, engine } = await start(t);
  const id = await create(engine, { Tty: true, AttachStdin: true, DetachKeys: 'ctrl-a' });
  const socket = await engine.hijack('POST', `/exec/${id}/start`, { body: { Tty: true } });
  const process = await running(containers);
  socket.write('x\x01');
  await once(socket.resume(), 'end');
  t.deepEqual(process.input, ['x']);
  t.like((await engine.ask('GET', `/exec/${id}/json`)).json(), { Running: true, DetachKeys: 'ctrl-a' });
  t.is(containers.published.at(-1), 'exec_detach');
  process.write('stdout', 'discarded');
  process.end(0);
});

test('a client that goes leaves the process running, with its output thrown away', async (t) => {
  const { containers, engine } = await start(t);
  const id = await create(engine);
  const socket = await engine.hijack('POST', `/exec/${id}/start`, { body: {} });
  const process = await running(containers);
  socket.destroy();
  const piece = Buffer.alloc(65_536);
  for (let count = 0; count < 64; count += 1) process.write('stdout', piece);
  await eventually('the output is taken', () => process.streams?.output.readableLength === 0);
  t.like((await engine.ask('GET', `/exec/${id}/json`)).json(), { Running: true });
  process.end(5);
  await eventually('the exit code', async () => (await engine.ask('GET', `/exec/${id}/json`)).json().ExitCode === 5);
  t.false(containers.published.includes('exec_detach'));
});

test('a client that does not read slows the process down, and gets everything', async (t) => {
  const { containers, engine } = await start(t);
  const id = await create(engine, { Tty: true });
  const socket = await engine.hijack('POST', `/exec/${id}/start`, { body: {} });
  const process = await running(containers);
  const piece = Buffer.alloc(65_536, 'x');
  for (let count = 0; count < 64; count += 1) process.write('stdout', piece);
  process.end(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.true((process.streams?.output.readableLength ?? 0) > 0);
  t.is((await text(socket)).length, 64 * 65_536);
});

test('a detached start answers at once with nothing', async (t) => {
  const { containers, engine } = await start(t);
  const id = await create(engine, { AttachStdin: true });
  const answer = await engine.ask('POST', `/exec/${id}/start`, { body: { Detach: true } });
  t.deepEqual([answer.status, answer.text], [200, '']);
  t.like(containers.processes[0]?.request, { detached: true, openStdin: false });
  t.like((await engine.ask('GET', `/exec/${id}/json`)).json(), { Running: true });
});

test('a missing program is reported in place of the output, and by the status when detached', async (t) => {
  const { containers, engine } = await start(t);
  const words = 'exec: "x": executable file not found in $PATH';
  const attached = await create(engine);
  containers.failure = new TaskStartError(words, 127);
  const answer = await engine.ask('POST', `/exec/${attached}/start`, { body: {} });
  t.is(answer.status, 200);
  t.is(answer.bytes.toString('latin1'), framed('stdout', `${words}\r\n`));
  t.like((await engine.ask('GET', `/exec/${attached}/json`)).json(), { Running: false, ExitCode: 127 });
  const detached = await create(engine);
  containers.failure = new TaskStartError(words, 127);
  const refused = await engine.ask('POST', `/exec/${detached}/start`, { body: { Detach: true } });
  t.deepEqual([refused.status, refused.json()], [400, { message: words }]);
});

test('errors of exec have their status and words', async (t) => {
  const { containers, engine } = await start(t);
  const message = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await engine.ask(method, path, { body });
    return [status, json().message];
  };
  const absent = '0'.repeat(64);
  const noExec = [404, `No such exec instance: ${absent}`];
  t.deepEqual(await message('GET', `/exec/${absent}/json`), noExec);
  t.deepEqual(await message('POST', `/exec/${absent}/start`, {}), noExec);
  t.deepEqual(await message('POST', `/exec/${absent}/resize?h=1&w=1`), noExec);
  t.deepEqual(await message('POST', '/containers/gone/exec', { Cmd: ['x'] }), [404, 'No such container: gone']);
  t.deepEqual(await message('POST', '/containers/web/exec', {}), [400, 'No exec command specified']);
  t.is((await message('POST', '/containers/web/exec', { Cmd: ['x'], DetachKeys: 'nonsense' }))[0], 400);
  t.is((await message('POST', '/containers/web/exec', { Cmd: 3 }))[0], 400);
  const id = await create(engine);
  t.is((await message('POST', `/exec/${id}/resize?h=1`))[0], 400);
  t.is((await message('POST', `/exec/${id}/resize?h=1&w=70000`))[0], 400);
  containers.state = 'paused';
  t.is((await message('POST', '/containers/web/exec', { Cmd: ['x'] }))[0], 409);
  t.is((await message('POST', `/exec/${id}/start`, {}))[0], 409);
  containers.state = 'running';
  await engine.ask('POST', `/exec/${id}/start`, { body: { Detach: true } });
  t.deepEqual(await message('POST', `/exec/${id}/start`, {}), [409, `Error: Exec command ${id} has already run`]);
});
