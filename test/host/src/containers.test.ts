import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { type Pack, pack } from 'tar-stream';
import { fileDaemon } from './testing/file-daemon.js';
import { runIn, startContainer } from './testing/run-in.js';

const daemonOfFile = fileDaemon();

test('a container runs to its exit, and wait, inspect and events agree on its exit code', async (t) => {
  const { client } = daemonOfFile();
  const since = Math.floor(Date.now() / 1000) - 1;
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'echo out; echo err >&2; exit 3'],
  });
  await container.start();
  t.is((await container.wait()).StatusCode, 3);
  t.is((await container.inspect()).State.ExitCode, 3);
  const events = await client.getEvents({
    since,
    until: Math.floor(Date.now() / 1000) + 1,
    filters: { container: [container.id], event: ['die'] },
  });
  t.is(JSON.parse(await text(events as never)).Actor.Attributes.exitCode, '3');
});

test('an attached client gets both streams completely, and its input reaches the process', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'cat; echo err >&2'],
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
  });
  const stream = await container.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true });
  const [out, err] = [new PassThrough(), new PassThrough()];
  client.modem.demuxStream(stream, out, err);
  await container.start();
  stream.end(Buffer.alloc(300_000, 'x'));
  stream.once('end', () => {
    out.end();
    err.end();
  });
  const [outText, errText] = await Promise.all([text(out), text(err)]);
  t.is(outText.length, 300_000);
  t.is(errText, 'err\n');
});

test('a container that joins the IPC of another one has its shared memory', async (t) => {
  const { client } = daemonOfFile();
  const giver = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'until test -e /dev/shm/word; do sleep 0.05; done; df -k /dev/shm | tail -n 1'],
    HostConfig: { NetworkMode: 'none', ShmSize: 8 * 2 ** 20 },
  });
  const taker = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'echo word > /dev/shm/word'],
    HostConfig: { NetworkMode: 'none', IpcMode: `container:${giver.id}` },
  });
  await t.throwsAsync(taker.start(), { message: /cannot join IPC of a non running container/ });
  await giver.start();
  await taker.start();
  t.is((await taker.wait()).StatusCode, 0);
  t.is((await giver.wait()).StatusCode, 0);
  t.regex(String(await giver.logs({ stdout: true })), /shm +8192 /);
});

test('a terminal has the size the client sets', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({ Image: 'busybox', Cmd: ['sh'], Tty: true, OpenStdin: true });
  const stream = await container.attach({ stream: true, stdin: true, stdout: true, hijack: true });
  let output = '';
  stream.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  await container.start();
  await container.resize({ h: 33, w: 77 });
  stream.write('stty size; exit\n');
  await once(stream, 'end');
  t.regex(output, /33 77/);
});

test('of two sizes that a terminal is given at once, the last one holds', async (t) => {
  const container = await startContainer(daemonOfFile().client, { Cmd: ['sleep', '600'], Tty: true });
  const { Pid } = (await container.inspect()).State;
  const monitor = Number(/^PPid:\s+(\d+)/m.exec(await readFile(`/proc/${Pid}/status`, 'utf8'))?.[1]);
  process.kill(monitor, 'SIGSTOP');
  await container.resize({ h: 33, w: 77 });
  await container.resize({ h: 44, w: 88 });
  process.kill(monitor, 'SIGCONT');
  const sizeOf = async () => (await runIn(container, 'stty size < /proc/1/fd/0')).output.trim();
  t.true(await eventually('the last size', async () => (await sizeOf()) === '44 88'));
});

test('exec runs another process and reports its exit code', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({ Image: 'busybox', Cmd: ['sleep', '60'], StopSignal: 'SIGKILL' });
  await container.start();
  const exec = await container.exec({
    Cmd: ['sh', '-c', 'echo inside; exit 9'],
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({ hijack: true, stdin: false });
  const out = new PassThrough();
  client.modem.demuxStream(stream, out, out);
  stream.once('end', () => out.end());
  t.is(await text(out), 'inside\n');
  t.is((await exec.inspect()).ExitCode, 9);
});

test('an imported root file system is an image', async (t) => {
  const daemon = daemonOfFile();
  const archive = pack();
  archive.entry({ name: 'marker' }, 'imported');
  archive.finalize();
  const said = await post(daemon.socket, '/images/create?fromSrc=-&repo=imported&tag=one', archive);
  t.regex(said, /sha256:/);
  const image = await daemon.client.getImage('imported:one').inspect();
  t.deepEqual(image.RepoTags, ['imported:one']);
});

test('a missing program fails the start with 127 and its name', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({ Image: 'busybox', Cmd: ['nosuchprogram'] });
  await t.throwsAsync(container.start(), { message: /nosuchprogram.*not found/ });
  const { State } = await container.inspect();
  t.is(State.ExitCode, 127);
  t.is(State.Status, 'created');
});

test('stop kills a process that ignores the signal after the timeout', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'trap : TERM; while :; do sleep 1; done'],
  });
  await container.start();
  await container.stop({ t: 1 });
  const { State } = await container.inspect();
  t.is(State.ExitCode, 137);
  t.is(State.Status, 'exited');
});

/** Sends an archive and resolves to the whole answer. */
function post(socketPath: string, path: string, archive: Pack): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-tar' };
    const sending = request({ socketPath, path, method: 'POST', headers }, (response) => resolve(text(response)));
    sending.once('error', reject);
    Readable.from(archive).pipe(sending);
  });
}
