import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { collect } from './collect.js';
import { pipe, readableFrom, writableTo } from './pipe.js';
import { SpawnLauncher } from './spawn-launcher.js';

const launcher = new SpawnLauncher();
const shell = (script: string) => ['-c', script];

test('a program is found by its bare name and its exit code is reported', async (t) => {
  const { exited } = await launcher.launch({ file: 'sh', args: shell('exit 7') });
  t.deepEqual(await exited, { code: 7, signal: undefined });
});

test('a program that was killed reports the signal', async (t) => {
  const launched = await launcher.launch({ file: 'sleep', args: ['60'] });
  launched.kill(15);
  t.deepEqual(await launched.exited, { code: undefined, signal: 15 });
  t.notThrows(() => launched.kill(9), 'killing it again does nothing');
});

test('a program that does not exist is ENOENT, one that may not be executed EACCES', async (t) => {
  await t.throwsAsync(launcher.launch({ file: 'no-such-program', args: [] }), { code: 'ENOENT' });
  await t.throwsAsync(launcher.launch({ file: '/no/such/program', args: [] }), { code: 'ENOENT' });
  const directory = await mkdtemp(join(tmpdir(), 'launcher-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'plain'), 'text', { mode: 0o644 });
  await t.throwsAsync(launcher.launch({ file: join(directory, 'plain'), args: [] }), { code: 'EACCES' });
  await writeFile(join(directory, 'odd'), 'text', { mode: 0o755 });
  await t.throwsAsync(launcher.launch({ file: join(directory, 'odd'), args: [] }), {
    code: 'ENOEXEC',
    message: /exec format error/,
  });
  await t.throwsAsync(launcher.launch({ file: 'true', args: [], cwd: '/no/such/directory' }), { code: 'ENOENT' });
});

test('a program is given its arguments, environment, directory and nothing else', async (t) => {
  const { stdout } = await launcher.run('sh', shell('echo "$0|$1"; pwd; env | grep -v -e ^PWD -e ^_ -e ^SHLVL'), {
    cwd: '/usr',
    env: { ONE: 'x y', PATH: '/bin:/usr/bin' },
  });
  t.deepEqual(stdout.toString().trimEnd().split('\n').slice(0, 2), ['sh|', '/usr']);
  t.deepEqual(stdout.toString().trimEnd().split('\n').slice(2).sort(), ['ONE=x y', 'PATH=/bin:/usr/bin']);
});

test('more arguments than the FFI library can copy are passed on', async (t) => {
  const long = Array.from({ length: 3_000 }, (_, index) => `${index}`.padStart(100, '-'));
  const { stdout, code } = await launcher.run('sh', [...shell('echo $#; shift 2999; printf %s "$1"'), 'sh', ...long]);
  t.is(code, 0);
  t.is(stdout.toString(), `3000\n${long[2999]}`);
});

test('descriptors arrive under the numbers asked for, even crosswise, and no others do', async (t) => {
  const one = pipe();
  const other = pipe();
  const low = Math.min(one.writeFd, other.writeFd);
  const high = Math.max(one.writeFd, other.writeFd);
  const { exited } = await launcher.launch({
    file: 'sh',
    args: shell(`cd /proc/self/fd; echo to-low >${low}; { echo to-high; ls /proc/self/fd | wc -l; } >${high}`),
    fds: new Map([
      [low, high],
      [high, low],
    ]),
  });
  closeSync(one.writeFd);
  closeSync(other.writeFd);
  const [first, second] = await Promise.all([
    collect(readableFrom(one.readFd), 999),
    collect(readableFrom(other.readFd), 999),
  ]);
  t.deepEqual(await exited, { code: 0, signal: undefined });
  const [lowText, highText] = low === one.writeFd ? [first, second] : [second, first];
  t.is(lowText.bytes.toString(), 'to-high\n6\n', '0, 1, 2, the two and the directory that ls reads');
  t.is(highText.bytes.toString(), 'to-low\n');
});

test('standard streams that are not given are /dev/null', async (t) => {
  // Linked statically: it opens no libraries while its descriptors are looked at.
  const launched = await launcher.launch({ file: 'busybox', args: ['sleep', '60'] });
  t.deepEqual(readdirSync(`/proc/${launched.pid}/fd`), ['0', '1', '2']);
  for (const fd of [0, 1, 2]) t.is(readlinkSync(`/proc/${launched.pid}/fd/${fd}`), '/dev/null');
  launched.kill(9);
  await launched.exited;
});

test('a new session is led by the program', async (t) => {
  const { stdout } = await launcher.run('cat', ['/proc/self/stat']);
  const [pid, , , , group, session] = stdout.toString().split(' ');
  t.is(group, pid);
  t.is(session, pid);
});

test('signals that Node ignores are back to their defaults', async (t) => {
  const { stdout } = await launcher.run('cat', ['/proc/self/status']);
  t.regex(stdout.toString(), /^SigIgn:\s0+$/m);
  t.regex(stdout.toString(), /^SigBlk:\s0+$/m);
});

test('input is fed, output and errors are collected apart', async (t) => {
  const result = await launcher.run('sh', shell('cat; echo sorry >&2; exit 3'), { input: Buffer.from('hello') });
  t.is(result.stdout.toString(), 'hello');
  t.is(result.stderr.toString(), 'sorry\n');
  t.is(result.code, 3);
  t.false(result.truncated);
});

test('a program that leaves its input unread is no failure', async (t) => {
  const endless = new PassThrough();
  endless.write(Buffer.alloc(200_000));
  const { code } = await launcher.run('true', [], { input: endless });
  t.is(code, 0);
  endless.destroy();
});

test('output beyond the maximum is dropped, and the program still ends', async (t) => {
  const { stdout, truncated, code } = await launcher.run('head', ['-c', '1000000', '/dev/zero'], {
    maxOutputBytes: 1000,
  });
  t.is(stdout.length, 1000);
  t.true(truncated);
  t.is(code, 0);
});

test('an abort kills the program and what it started', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'launcher-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const controller = new AbortController();
  const note = join(directory, 'pid');
  const running = launcher.run('sh', shell(`sleep 60 & echo $! >${note}; wait`), { signal: controller.signal });
  while (!existsSync(note) || readFileSync(note, 'utf8') === '') await delay(2);
  const pid = readFileSync(note, 'utf8').trim();
  controller.abort(new Error('enough'));
  await t.throwsAsync(running, { message: 'enough' });
  while (existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) await delay(2);
  t.pass();
});

test('data streams through a program', async (t) => {
  const { stdin, stdout, stderr, process } = await launcher.stream('gzip', ['-c']);
  const second = await launcher.stream('gzip', ['-dc']);
  const bytes = Buffer.alloc(3_000_000, 'container ');
  const output = collect(second.stdout, 10_000_000);
  stdin.end(bytes);
  await pipeline(stdout, second.stdin);
  t.true((await output).bytes.equals(bytes));
  t.deepEqual(await process.exited, { code: 0, signal: undefined });
  t.is((await stderr).length, 0);
});

test('an abort breaks the streams with its reason', async (t) => {
  const controller = new AbortController();
  const { stdout, process } = await launcher.stream('cat', [], { signal: controller.signal });
  const reading = pipeline(stdout, new PassThrough().resume());
  controller.abort(new Error('client gone'));
  await t.throwsAsync(reading, { message: 'client gone' });
  t.deepEqual(await process.exited, { code: undefined, signal: 9 });
});

test.serial('launching leaves no descriptor behind', async (t) => {
  const open = () => readdirSync('/proc/self/fd').length;
  await launcher.run('true', []);
  const before = open();
  for (let round = 0; round < 20; round += 1) await launcher.run('true', []);
  await t.throwsAsync(launcher.run('no-such-program', []));
  t.true(open() <= before, `${open()} descriptors, ${before} before`);
});

test('a program that was moved is found again', async (t) => {
  const directory = await mkdtemp('/usr/local/sbin/launcher-');
  const name = directory.split('/').at(-1) ?? '';
  t.teardown(async () => {
    await rm(directory, { recursive: true, force: true });
    await rm(`/usr/local/bin/${name}-program`, { force: true });
  });
  const first = `/usr/local/sbin/${name}-program`;
  await symlink('/bin/true', first);
  t.is((await launcher.run(`${name}-program`, [])).code, 0);
  await rm(first);
  await symlink('/bin/true', `/usr/local/bin/${name}-program`);
  t.is((await launcher.run(`${name}-program`, [])).code, 0);
});

test('a pipe is readable and writable without blocking, and closes', async (t) => {
  const { readFd, writeFd } = pipe();
  const writer = writableTo(writeFd);
  const reader = readableFrom(readFd);
  const bytes = Buffer.alloc(1_000_000, 7);
  writer.end(bytes);
  t.true((await collect(reader, 2_000_000)).bytes.equals(bytes));
});

test('a file can be read and written by its descriptor too', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'launcher-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'file'), 'text');
  const fd = openSync(join(directory, 'file'), 'r');
  t.is((await collect(readableFrom(fd), 99)).bytes.toString(), 'text');
});
