import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { outputOf } from './testing/frames.js';
import { type ApiEngine, startApi } from './testing/start-engine.js';

const lines = (...words: string[]) => ({ Cmd: ['sh', '-c', words.map((word) => `echo ${word}`).join('; ')] });
const both = { Cmd: ['sh', '-c', 'echo out; echo err >&2'] };
const cat = { Cmd: ['cat'], OpenStdin: true, AttachStdin: true };

/** Repeats the request until the log worker has caught up with the text. */
async function logs(api: ApiEngine, id: string, query: string, until: RegExp): Promise<string> {
  return eventually(`${until} in the log`, async () => {
    const { bytes } = await api.get(`/containers/${id}/logs?${query}`);
    const { stdout, stderr } = outputOf(bytes);
    return until.test(stdout + stderr) ? stdout + stderr : undefined;
  });
}

test('logs keep the streams apart and have the selected ones', async (t) => {
  const api = await startApi(t);
  const { id } = await api.runToEnd(both);
  t.is(await logs(api, id, 'stdout=1&stderr=1', /err\n/), 'out\nerr\n');
  t.deepEqual(outputOf((await api.get(`/containers/${id}/logs?stdout=1`)).bytes), { stdout: 'out\n', stderr: '' });
  t.deepEqual(outputOf((await api.get(`/containers/${id}/logs?stderr=1`)).bytes), { stdout: '', stderr: 'err\n' });
  const whole = await api.get(`/containers/${id}/logs?stdout=1&stderr=1`);
  t.is(whole.headers['content-length'], `${whole.bytes.length}`, 'a short log is sent at once');
  t.deepEqual(await api.refusal(api.get(`/containers/${id}/logs`)), [
    400,
    'Bad parameters: you must choose at least one stream',
  ]);
});

test('logs are limited by tail and time, and have timestamps', async (t) => {
  const api = await startApi(t);
  const { id } = await api.runToEnd(lines('one', 'two', 'three'));
  await logs(api, id, 'stdout=1', /three\n/);
  const got = async (query: string) =>
    outputOf((await api.get(`/containers/${id}/logs?stdout=1&${query}`)).bytes).stdout;
  t.is(await got('tail=2'), 'two\nthree\n');
  t.is(await got('tail=all'), 'one\ntwo\nthree\n');
  t.is(await got('tail=0'), '');
  t.is(await got(`since=${Math.floor(Date.now() / 1000) + 60}`), '');
  t.regex(await got('timestamps=1&tail=1'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z three\n$/);
});

test('followed logs end after the exit is stored', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ Cmd: ['sh', '-c', 'echo first; read x; echo last'], OpenStdin: true });
  const followed = await api.open('GET', `/containers/${id}/logs?stdout=1&follow=1`);
  const parts: Buffer[] = [];
  followed.body.on('data', (part: Buffer) => parts.push(part));
  await eventually('the first line', () => Buffer.concat(parts).includes('first'));
  const socket = await api.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1`);
  socket.end('go\n');
  await once(followed.body, 'end');
  t.is(outputOf(Buffer.concat(parts)).stdout, 'first\nlast\n');
  t.is((await api.inspect(id)).State.Status, 'exited');
});

test('a terminal writes raw, with one stream', async (t) => {
  const api = await startApi(t);
  const { id } = await api.runToEnd({ ...both, Tty: true });
  await eventually('the log', async () => (await api.get(`/containers/${id}/logs?stdout=1`)).text === 'out\r\nerr\r\n');
  t.pass();
});

test('what is attached before the start sees everything', async (t) => {
  const api = await startApi(t);
  const id = await api.create(both);
  const socket = await api.hijack('POST', `/containers/${id}/attach?stream=1&stdout=1&stderr=1`);
  const arriving = buffer(socket);
  await api.post(`/containers/${id}/start`);
  t.deepEqual(outputOf(await arriving), { stdout: 'out\n', stderr: 'err\n' });
});

test('attached input reaches the program, and its end ends it', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ ...cat, StdinOnce: true });
  const socket = await api.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1`);
  const arriving = buffer(socket);
  await api.post(`/containers/${id}/start`);
  socket.end('hello\n');
  t.is(outputOf(await arriving).stdout, 'hello\n');
  t.like((await api.post(`/containers/${id}/wait`)).json(), { StatusCode: 0 });
});

test('attach gives what was logged, when it is asked for', async (t) => {
  const api = await startApi(t);
  const { id } = await api.runToEnd(both);
  await logs(api, id, 'stdout=1&stderr=1', /err\n/);
  const { bytes, headers, status } = await api.ask('POST', `/containers/${id}/attach?logs=1&stdout=1&stderr=1`);
  t.deepEqual([status, headers['content-type']], [200, 'application/vnd.engine.raw-stream']);
  t.deepEqual(outputOf(bytes), { stdout: 'out\n', stderr: 'err\n' });
});

test('two clients see the same', async (t) => {
  const api = await startApi(t);
  const id = await api.create(lines('same'));
  const sockets = await Promise.all([1, 2].map(() => api.hijack('POST', `/containers/${id}/attach?stream=1&stdout=1`)));
  const arriving = Promise.all(sockets.map((socket) => buffer(socket)));
  await api.post(`/containers/${id}/start`);
  t.deepEqual(
    (await arriving).map((bytes) => outputOf(bytes).stdout),
    ['same\n', 'same\n'],
  );
});

test('detach keys leave the container running', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ ...cat, Tty: true });
  const socket = await api.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1&detachKeys=ctrl-a`);
  socket.write('\x01');
  await once(socket.resume(), 'end');
  t.true((await api.inspect(id)).State.Running);
  t.true(api.eventSummaries().some((line) => line.startsWith('container detach ')));
});

test('a terminal has the size it is given', async (t) => {
  const api = await startApi(t);
  const id = await api.run({ Cmd: ['sh', '-c', 'read x; stty size'], Tty: true, OpenStdin: true });
  t.is((await api.post(`/containers/${id}/resize?h=22&w=55`)).status, 200);
  const socket = await api.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1`);
  socket.write('\n');
  t.regex((await buffer(socket)).toString(), /22 55/);
});

test('a client that does not read does not block other clients', async (t) => {
  const api = await startApi(t);
  const id = await api.create({ Cmd: ['sh', '-c', 'read x; echo end'], OpenStdin: true });
  const idle = await api.hijack('POST', `/containers/${id}/attach?stream=1&stdout=1`);
  idle.pause();
  await api.post(`/containers/${id}/start`);
  const active = await api.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1&stdout=1`);
  const arriving = buffer(active);
  active.write('\n');
  t.is(outputOf(await arriving).stdout, 'end\n');
  idle.destroy();
});
