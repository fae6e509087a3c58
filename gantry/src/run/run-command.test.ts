import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { createEngine } from '../engine/create-engine.js';
import { runCommand } from './run-command.js';

const program = fileURLToPath(new URL('../../bin/gantry.js', import.meta.url));

/** Where one test keeps images. */
async function directoryOf(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-run-'));
  t.teardown(() => rm(directory, { recursive: true }));
  return directory;
}

function start(args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], { stdio: 'pipe', env: { ...process.env, ...environment } });
}

/** Runs it to its end. */
async function run(args: readonly string[], { input = '', environment = {} } = {}) {
  const child = start(args, environment);
  child.stdin?.end(input);
  const exit = once(child, 'exit');
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    exit,
  ]);
  return { stdout, stderr, code, signal };
}

test.serial('a command has its flags, its streams and its exit code', async (t) => {
  const directory = await directoryOf(t);
  await chmod(directory, 0o755);
  await writeFile(path.join(directory, 'file'), 'from the host\n');
  await writeFile(path.join(directory, 'variables'), '# words\nFROM_FILE=file\n\n');
  const script =
    'cat; cat /mnt/file; pwd; id -u; hostname; echo $A $B $FROM_FILE; echo bad >&2; touch /mnt/new; exit 7';
  const result = await run(
    [
      ...['run', '--directory', directory, '-i', '-v', `${directory}:/mnt`, '-w', '/usr', '-u', '1000:1000'],
      ...['-e', 'A=a', '-eB', '--env-file', path.join(directory, 'variables'), '-h', 'inside', '--network=none'],
      ...['busybox', 'sh', '-c', script],
    ],
    { input: 'typed\n', environment: { B: 'passed on' } },
  );
  t.is(result.stdout, 'typed\nfrom the host\n/usr\n1000\ninside\na passed on file\n');
  t.regex(result.stderr, /^bad\ntouch: \/mnt\/new: Permission denied\n$/);
  t.is(result.code, 7);
});

test.serial('signals reach the command, and a port is published while it runs', async (t) => {
  const directory = await directoryOf(t);
  const script =
    'mkdir /w; echo page > /w/index.html; trap "exit 9" USR1; httpd -p 80 -h /w; echo ready; while :; do sleep 1 & wait; done';
  const child = start(['run', '--directory', directory, '-p', '127.0.0.1:18973:80', 'busybox', 'sh', '-c', script]);
  child.stdin?.end();
  const exit = once(child, 'exit');
  const output = child.stdout as NodeJS.ReadableStream;
  const errors = text(child.stderr as NodeJS.ReadableStream);
  const [first] = await Promise.race([once(output, 'data'), exit.then(async () => [await errors])]);
  t.is(String(first), 'ready\n');
  output.resume();
  t.is(await (await fetch('http://127.0.0.1:18973/')).text(), 'page\n');
  child.kill('SIGUSR1');
  t.deepEqual(await exit, [9, null]);
  t.is(await errors, '');
});

test.serial('two commands run side by side, and the container of a killed one ends', async (t) => {
  const directory = await directoryOf(t);
  const common = ['run', '--directory', directory, '--network', 'none', 'busybox'];
  const killed = start([...common, 'sh', '-c', 'echo began; exec sleep 600']);
  const errors = text(killed.stderr as NodeJS.ReadableStream);
  const exit = once(killed, 'exit');
  const [first] = await Promise.race([
    once(killed.stdout as NodeJS.ReadableStream, 'data'),
    exit.then(async () => [await errors]),
  ]);
  t.is(String(first), 'began\n');
  const beside = await run([...common, 'echo', 'beside']);
  t.deepEqual([beside.stdout, beside.stderr, beside.code], ['beside\n', '', 0]);
  const processes = (await commands()).filter(([, command]) => command === 'sleep\x00600\x00');
  killed.kill('SIGKILL');
  await exit;
  const next = await run([...common, 'echo', 'next']);
  t.deepEqual([next.stdout, next.stderr, next.code], ['next\n', '', 0]);
  while ((await ownContainer(processes, directory)).length > 0) await delay(20);
  // The engine that ended it is closed then, too.
  while ((await commands()).some(([, command]) => command.includes(directory))) await delay(20);
});

/** Processes with their command lines. */
async function commands(): Promise<readonly (readonly [pid: string, command: string])[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const),
  );
}

/** Those that still run with a root file system below the directory. */
async function ownContainer(
  processes: readonly (readonly [pid: string, command: string])[],
  directory: string,
): Promise<readonly string[]> {
  const found = await Promise.all(
    processes.map(async ([pid]) => {
      const mounts = await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '');
      return mounts.includes(directory) ? [pid] : [];
    }),
  );
  return found.flat();
}

/** The same within this process. */
async function runHere(...argv: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = await runCommand(argv, { stdin, stdout, stderr });
  return { code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

for (const [args, message] of [
  [['--wrong', 'busybox'], /^gantry: --wrong is not a flag of gantry run: see gantry run --help\n$/],
  [['-d', 'busybox'], /^gantry: -d: the engine ends with the command; run a daemon .*\n$/],
  [['-p', '1-9:1-9', 'busybox'], /^gantry: --publish: "1-9:1-9" is not .*\n$/],
  [['-m', 'much', 'busybox'], /^gantry: --memory: "much" is not a size such as 512m\n$/],
  [['--cpus=no', 'busybox'], /^gantry: --cpus: "no" is not a number above 0 such as 1.5\n$/],
  [['--mount', 'from=a,target=/b', 'busybox'], /^gantry: --mount: "from" is not one of .*\n$/],
  [['-v', 'a', 'busybox'], /^gantry: --volume: "a" is not HOST-PATH:PATH or NAME:PATH\n$/],
  [['--pull', 'no', 'busybox'], /^gantry: --pull: "no" is not missing, always or never\n$/],
  [['--rm=perhaps', 'busybox'], /^gantry: --rm: "perhaps" is neither true nor false\n$/],
  [['-e'], /^gantry: -e needs a value\n$/],
  [[], /^gantry: the image is missing: .*\n$/],
] as const) {
  test.serial(`refused in one line: gantry run ${args.join(' ')}`, async (t) => {
    const result = await runHere(...args);
    t.like(result, { code: 125, stdout: '' });
    t.regex(result.stderr, message);
  });
}

test.serial(
  'a command that cannot run has the exit codes that shells know, also with an engine that runs',
  async (t) => {
    const engine = await createEngine();
    t.teardown(() => engine.close());
    const common = ['--host', await engine.listen(), '--network', 'none'];
    t.deepEqual(await runHere(...common, 'busybox', 'echo', 'hello'), { code: 0, stdout: 'hello\n', stderr: '' });
    const absent = await runHere(...common, 'busybox', 'absent');
    t.like(absent, { code: 127, stdout: '' });
    t.regex(absent.stderr, /^gantry: .*absent.*\n$/);
    t.is((await runHere(...common, 'busybox', '/etc/passwd')).code, 126);
    const missing = await runHere(...common, '--pull', 'never', 'no-such-image', 'true');
    t.is(missing.code, 125);
    t.regex(missing.stderr, /^gantry: No such image: no-such-image.*\n$/i);
    t.deepEqual(await engine.containers.list({ all: true }), []);
  },
);

test.serial('the program says what it is', async (t) => {
  t.regex((await run(['--version'])).stdout, /^gantry \d+\.\d+\.\d+\n$/);
  const wrong = await run(['walk']);
  t.like(wrong, { code: 2, stdout: '', stderr: 'gantry: "walk" is not a command: see gantry --help\n' });
  t.regex((await runHere('--help')).stdout, /^usage: gantry run [\s\S]*--volume/);
});
