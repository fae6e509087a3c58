import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import archive from '@gantry/archive-worker-threads';
import containerFiles from '@gantry/container-files';
import containerHealth from '@gantry/container-health';
import containerLogs from '@gantry/container-logs';
import containerStats from '@gantry/container-stats';
import containers from '@gantry/containers';
import { pathExists } from '@gantry/core/driver';
import engineApi from '@gantry/engine-api';
import events from '@gantry/events';
import images from '@gantry/images';
import ipam from '@gantry/ipam-default';
import jsonFile from '@gantry/log-json-file';
import noNetwork from '@gantry/network-none';
import networks from '@gantry/networks';
import runc from '@gantry/runtime-runc';
import netns from '@gantry/sandbox-netns';
import starterImage from '@gantry/starter-image';
import lmdb from '@gantry/state-lmdb';
import vfs from '@gantry/storage-vfs';
import system from '@gantry/system';
import localVolumes from '@gantry/volume-local';
import volumes from '@gantry/volumes';
import test, { type ExecutionContext } from 'ava';
import { ApiError, type Container, EngineClient } from 'gantry-client';
import { createEngine } from './create-engine.js';
import type { Engine } from './engine.js';
import type { EngineOptions } from './engine-options.js';

/** Closed with the test, also when it fails. */
async function startEngine(t: ExecutionContext, options?: EngineOptions): Promise<Engine> {
  const engine = await createEngine(options);
  t.teardown(() => engine.close());
  return engine;
}

/** What an engine makes on the host, by its name. */
async function tracesOf(name: string): Promise<readonly string[]> {
  const [links, tables] = await Promise.all([
    promisify(execFile)('ip', ['-o', 'link', 'show']),
    promisify(execFile)('nft', ['list', 'tables']),
  ]);
  const mounts = await readFile('/proc/self/mountinfo', 'utf8');
  const hierarchies = ['', ...(await readdir('/sys/fs/cgroup'))];
  const groups = await Promise.all(hierarchies.map((each) => pathExists(path.join('/sys/fs/cgroup', each, name))));
  return [
    ...(links.stdout.includes(`${name}:`) ? ['link'] : []),
    ...(tables.stdout.includes(` ${name}\n`) ? ['table'] : []),
    ...(mounts.includes(name) ? ['mount'] : []),
    ...(groups.includes(true) ? ['control group'] : []),
    ...((await pathExists(`/run/${name}`)) ? ['directory'] : []),
  ];
}

test('a command runs in a container of an engine within the program, which leaves nothing behind', async (t) => {
  const name = `gantryt${process.pid.toString(36)}`;
  const engine = await startEngine(t, { name });
  const result = await engine.run('busybox', ['sh', '-c', 'echo $WORD; ip -4 addr show eth0; echo bad >&2; exit 3'], {
    Env: ['WORD=given'],
  });
  t.is(result.exitCode, 3);
  t.regex(result.stdout, /^given\n[\s\S]*inet \d/);
  t.is(result.stderr, 'bad\n');
  t.deepEqual(await engine.containers.list({ all: true }), []);
  const running = await engine.containers.start('busybox', ['sleep', '600']);
  const { State } = await running.inspect();
  t.deepEqual(await tracesOf(name), ['link', 'table', 'mount', 'control group', 'directory']);
  const { dataRoot } = engine.kernel.config;
  await engine.close();
  t.false(await pathExists(`/proc/${State.Pid}`), 'containers end with the engine');
  t.deepEqual(await tracesOf(name), []);
  t.false(await pathExists(path.dirname(dataRoot)));
});

/** For what does not end it. */
let engine: Engine;

test.before(async () => {
  engine = await createEngine();
});

test.after.always(() => engine?.close());

test('containers have streams of Node and of the web, files and execs, and end with their block', async (t) => {
  let id = '';
  {
    await using container = await engine.containers.start('busybox', ['sh', '-c', 'echo began; exec sleep 600']);
    id = container.id;
    const exec = await container.exec(['sh', '-c', 'cat; echo bad >&2; exit 4'], { stdin: true, user: '1000' });
    exec.stdin.end('through the exec');
    t.deepEqual(await exec.result(), { stdout: 'through the exec', stderr: 'bad\n', exitCode: 4 });
    const logs = await container.logs({ follow: true });
    const reader = logs.stdout.web.getReader();
    t.is(Buffer.from((await reader.read()).value ?? []).toString(), 'began\n');
    await reader.cancel();
    logs.stderr.node.destroy();
    await container.files.write('/tmp', (await container.files.read('/etc/passwd')).web);
    t.like(await container.files.stat('/tmp/passwd'), { name: 'passwd' });
    t.is((await engine.request('GET /containers/{id}/top', { path: { id } })).Processes.length, 1);
    await engine.request('POST /containers/{id}/pause', { path: { id } });
    t.is((await engine.request('GET /containers/{id}/json', { path: { id } })).State.Status, 'paused');
    await engine.request('POST /containers/{id}/unpause', { path: { id } });
  }
  const error = await t.throwsAsync(engine.containers.get(id).inspect(), { instanceOf: ApiError });
  t.is(error?.status, 404);
  await t.throwsAsync(engine.containers.get('no').start(), { message: /No such container: no/ });
  await t.throwsAsync(engine.containers.create({ Image: 'busybox', HostConfig: { Memory: 'much' } as never }), {
    message: /HostConfig.Memory: "much" is not an integer/,
  });
});

test('events are followed until the signal ends it, and requests are aborted', async (t) => {
  const ending = new AbortController();
  const seen: string[] = [];
  let container: Container | undefined;
  const following = (async () => {
    for await (const { Type, Action, Actor } of engine.events({ signal: ending.signal })) {
      seen.push(`${Type} ${Action}`);
      if (Action === 'destroy' && Actor.ID === container?.id) ending.abort();
    }
  })();
  following.catch(() => undefined);
  container = await engine.containers.start('busybox', ['sleep', '600'], { HostConfig: { NetworkMode: 'none' } });
  const waiting = container.wait({ signal: AbortSignal.timeout(100) });
  await t.throwsAsync(waiting, { any: true, name: 'TimeoutError' });
  await container[Symbol.asyncDispose]();
  await t.throwsAsync(following, { any: true, name: 'AbortError' });
  t.true(seen.includes('container start') && seen.includes('container destroy'), seen.join());
});

test('containers survive an engine that is to leave them, and the next one has them', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-survive-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const first = await startEngine(t, { directory, containers: 'survive' });
  const { id } = await first.containers.start('busybox', ['sh', '-c', 'echo began; exec sleep 600'], { name: 'kept' });
  const { Pid } = (await first.containers.get(id).inspect()).State;
  await t.throwsAsync(createEngine({ directory }), { message: /is used by another engine/ });
  await first.close();
  t.true(await pathExists(`/proc/${Pid}`));
  const second = await startEngine(t, { directory, containers: 'survive' });
  const kept = second.containers.get('kept');
  t.like((await kept.inspect()).State, { Running: true, Pid });
  t.deepEqual(await (await kept.logs()).text(), { stdout: 'began\n', stderr: '' });
  await second.close();
  const last = await startEngine(t, { directory });
  t.deepEqual(await last.containers.list({ all: true }), []);
  await last.close();
  t.false(await pathExists(`/proc/${Pid}`));
});

test('containers of a program that is killed end, and nothing of its engine is left', async (t) => {
  const name = `gantryk${process.pid.toString(36)}`;
  const source = `
    import { createEngine } from '${new URL('../index.js', import.meta.url)}';
    const engine = await createEngine({ name: '${name}' });
    const container = await engine.containers.start('busybox', ['sleep', '600']);
    const { State } = await container.inspect();
    console.log(JSON.stringify({ pid: State.Pid, root: engine.kernel.config.dataRoot }));
  `;
  const program = path.join(await mkdtemp(path.join(tmpdir(), 'gantry-killed-')), 'program.mjs');
  t.teardown(() => rm(path.dirname(program), { recursive: true }));
  await writeFile(program, source);
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const { pid, root } = JSON.parse(String(line)) as { readonly pid: number; readonly root: string };
  t.true(await pathExists(`/proc/${pid}`));
  child.kill('SIGKILL');
  await exit;
  while (await pathExists(path.dirname(root))) await delay(20);
  t.false(await pathExists(`/proc/${pid}`));
  t.deepEqual(await tracesOf(name), []);
});

test('an engine has the drivers that the program chooses', async (t) => {
  const engine = await startEngine(t, {
    use: [
      ...[archive, lmdb, vfs, runc, netns, ipam, noNetwork, localVolumes, jsonFile],
      ...[engineApi, events, images, starterImage, volumes, networks, system],
      ...[containerLogs, containers, containerStats, containerHealth, containerFiles],
    ],
  });
  t.like(await engine.info(), { Driver: 'vfs', Plugins: { Network: ['none'] } });
  t.is((await engine.run('busybox', ['echo', 'hello'])).stdout, 'hello\n');
});

test('it listens at a socket for other clients, for as long as it is open', async (t) => {
  const engine = await startEngine(t);
  const host = await engine.listen();
  const client = new EngineClient(host);
  t.is((await client.info()).ID, (await engine.info()).ID);
  const socketPath = host.replace('unix://', '');
  const ping = await new Promise<string>((resolve, reject) => {
    request({ socketPath, path: '/_ping' }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
  });
  t.is(ping, 'OK');
  await engine.close();
  await t.throwsAsync(client.ping(), { code: 'ENOENT' });
  await t.throwsAsync(engine.ping(), { message: /stopping/ });
});

test('what cannot be meant is refused, naming the option', async (t) => {
  await t.throwsAsync(createEngine({ containers: 'survive' }), { message: /^directory: / });
  await t.throwsAsync(createEngine({ name: 'much-too-long-for-a-link' }), { message: /^name: / });
  await t.throwsAsync(createEngine({ drivers: { 'network/none': { no: 1 } } }), { message: /network\/none/ });
  await t.throwsAsync(createEngine({ hosts: ['nowhere'] }), { message: /nowhere/ });
});
