import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Demultiplexer } from '@gantry/core/streams';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { startContainers } from '../testing/start-containers.js';

const demultiplexed = (bytes: Buffer) => {
  const streams = { stdout: '', stderr: '', stdin: '' };
  for (const { stream, data } of new Demultiplexer().push(bytes)) streams[stream] += Buffer.from(data).toString();
  return streams;
};
const all = async (socket: Socket) => demultiplexed(await buffer(socket));

test('a client that came before the start gets everything, and so does a second one', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sh', '-c', 'echo out; echo err >&2'] });
  const query = `/containers/${id}/attach?stream=1&stdout=1&stderr=1`;
  const clients = [await engine.hijack('POST', query), await engine.hijack('POST', query)];
  await post(`${id}/start`);
  for (const client of clients) t.deepEqual(await all(client), { stdout: 'out\n', stderr: 'err\n', stdin: '' });
});

test('input that came before the start is kept, and its end ends the input', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['wc', '-c'], OpenStdin: true, StdinOnce: true });
  const socket = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1`);
  socket.end('12345');
  await post(`${id}/start`);
  t.is((await all(socket)).stdout.trim(), '5');
});

test('a container that keeps its input open outlives its clients', async (t) => {
  const { create, engine, inspect, post } = await startContainers(t);
  const id = await create({ Cmd: ['cat'], OpenStdin: true });
  await post(`${id}/start`);
  const query = `/containers/${id}/attach?stream=1&stdin=1&stdout=1`;
  for (const word of ['one\n', 'two\n']) {
    const socket = await engine.hijack('POST', query);
    socket.write(word);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    t.is(demultiplexed(bytes).stdout, word);
    socket.destroy();
  }
  t.true((await inspect(id)).State.Running);
  await post(`${id}/kill`);
});

test('past output comes before present output, each once', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sh', '-c', 'echo past; read x; echo now'], OpenStdin: true });
  await post(`${id}/start`);
  await eventually('the past', async () => (await engine.ask('GET', `/containers/${id}/logs?stdout=1`)).text !== '');
  const socket = await engine.hijack('POST', `/containers/${id}/attach?logs=1&stream=1&stdin=1&stdout=1`);
  socket.write('go\n');
  t.is((await all(socket)).stdout, 'past\nnow\n');
});

test('the detach keys end the session and nothing else', async (t) => {
  const { actions, create, engine, inspect, post } = await startContainers(t);
  const id = await create({ Cmd: ['cat'], Tty: true, OpenStdin: true });
  await post(`${id}/start`);
  const socket = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1&detachKeys=ctrl-x,z`);
  socket.write('\x18z');
  await once(socket.resume(), 'end');
  t.true((await inspect(id)).State.Running);
  t.deepEqual(actions(), ['create', 'start', 'attach', 'detach']);
  await post(`${id}/kill`);
});

test('the detach keys of the start are those of clients that name none, also of one that attached before', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['cat'], Tty: true, OpenStdin: true });
  const attach = (keys = '') => engine.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1${keys}`);
  t.is(await post(`${id}/start?detachKeys=nosuch-key`), 500);
  const early = await attach();
  t.is(await post(`${id}/start?detachKeys=ctrl-x,z`), 204);
  const [late, own] = [await attach(), await attach('&detachKeys=ctrl-y')];
  for (const socket of [early, late]) {
    socket.write('\x18z');
    await once(socket.resume(), 'end');
  }
  own.write('\x18z\x19');
  await once(own.resume(), 'end');
  await post(`${id}/kill`);
});

test('a paused container, bad keys and an absent container are refused before the connection is taken', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sleep', '300'] });
  await post(`${id}/start`);
  await post(`${id}/pause`);
  const status = async (path: string) => (await engine.ask('POST', path)).status;
  t.is(await status(`/containers/${id}/attach?stream=1&stdout=1`), 409);
  t.is(await status(`/containers/${id}/attach?stream=1&detachKeys=nosuch-key`), 400);
  t.is(await status('/containers/nosuch/attach?stream=1'), 404);
  await post(`${id}/kill`);
});

test('clients of a start that fails end', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['nosuch'] });
  const socket = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdout=1`);
  t.is(await post(`${id}/start`), 500);
  t.is((await all(socket)).stdout, '');
});

test('a client that reads nothing keeps neither the container nor the other clients', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const script = Array.from({ length: 60 }, () => 'echo $X').join('; ');
  const id = await create({ Cmd: ['sh', '-c', script], Env: [`X=${'x'.repeat(100_000)}`] });
  const query = `/containers/${id}/attach?stream=1&stdout=1`;
  const [idle, busy] = [await engine.hijack('POST', query), await engine.hijack('POST', query)];
  idle.pause();
  await post(`${id}/start`);
  t.is((await all(busy)).stdout.length, 60 * 100_001);
  t.is((await engine.ask('POST', `/containers/${id}/wait`)).json().StatusCode, 0);
  idle.destroy();
});

test('logs need a stream, and end with a followed container', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sh', '-c', 'echo a; read x; echo b'], OpenStdin: true });
  const bad = await engine.ask('GET', `/containers/${id}/logs`);
  t.deepEqual([bad.status, bad.json().message], [400, 'Bad parameters: you must choose at least one stream']);
  t.is((await engine.ask('GET', `/containers/${id}/logs?stdout=1&follow=1`)).text, '');
  await post(`${id}/start`);
  const following = engine.ask('GET', `/containers/${id}/logs?stdout=1&follow=1`);
  const socket = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1`);
  socket.write('end\n');
  t.is(demultiplexed((await following).bytes).stdout, 'a\nb\n');
  t.is(demultiplexed((await engine.ask('GET', `/containers/${id}/logs?stdout=1&tail=1`)).bytes).stdout, 'b\n');
  socket.destroy();
});

test('logs on an upgraded connection are raw bytes behind a 101', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['echo', 'a'] });
  await post(`${id}/start`);
  await post(`${id}/wait`);
  t.is((await all(await engine.hijack('GET', `/containers/${id}/logs?stdout=1`))).stdout, 'a\n');
});

test('an attach ends when the exit is known', async (t) => {
  const { create, engine, inspect, post } = await startContainers(t);
  for (let round = 0; round < 10; round++) {
    const id = await create({ Cmd: ['sh', '-c', 'echo out; exit 3'] });
    const client = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdout=1`);
    await post(`${id}/start`);
    t.is((await all(client)).stdout, 'out\n');
    t.like((await inspect(id)).State, { Running: false, ExitCode: 3 });
  }
});

test('a client of a terminal that closes its side is answered with the end', async (t) => {
  const { create, engine, inspect, post } = await startContainers(t);
  const id = await create({ Cmd: ['cat'], Tty: true, OpenStdin: true });
  await post(`${id}/start`);
  const socket = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1`);
  socket.end();
  await once(socket.resume(), 'end');
  t.true((await inspect(id)).State.Running);
  await post(`${id}/kill`);
});

test('an attached client has its output before wait is answered', async (t) => {
  const { create, engine, post } = await startContainers(t);
  const id = await create({ Cmd: ['sh', '-c', 'read x; echo out'], Tty: true, OpenStdin: true });
  const socket = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1`);
  await post(`${id}/start`);
  let received = '';
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString();
  });
  const waiting = engine.ask('POST', `/containers/${id}/wait`);
  socket.write('go\n');
  await waiting;
  t.regex(received, /out/);
});
