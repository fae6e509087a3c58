import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Daemon, eventually, startDaemon } from '@gantry/test-nodes';
import test, { type ExecutionContext } from 'ava';
import { contextOfPlugin } from './testing/context-of-plugin.js';
import { hostState } from './testing/host-state.js';
import { pushExamplePlugin } from './testing/push-example-plugin.js';
import { startStubRegistry } from './testing/stub-registry.js';

/** Status of the answer; undefined when the daemon died over it. */
async function ask(daemon: Daemon, method: string, target: string, body?: Buffer): Promise<number | undefined> {
  return (await answerOf(daemon, method, target, body))?.status;
}

function answerOf(
  daemon: Daemon,
  method: string,
  target: string,
  body?: Buffer,
): Promise<{ readonly status: number; readonly body: string } | undefined> {
  return new Promise((resolve) => {
    request({ socketPath: daemon.socket, method, path: `/v1.24${target}`, agent: false }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body }),
        () => resolve(undefined),
      );
    })
      .on('error', () => resolve(undefined))
      .end(body);
  });
}

/** What it mounts would be seen by the host: the directory of its volumes has a mount of its own. */
async function start(t: ExecutionContext) {
  const daemon = await startDaemon(t);
  const plugin = await pushExamplePlugin(await startStubRegistry(t), { propagatedMount: '/data' });
  const context = await contextOfPlugin(t, {
    'config.json': JSON.stringify({ entrypoint: ['/bin/program'], interface: { types: [], socket: 'own.sock' } }),
    'rootfs/bin/program': 'program',
  });
  const actions = {
    create: () => ask(daemon, 'POST', `/plugins/create?name=${plugin}`, context),
    pull: () => ask(daemon, 'POST', `/plugins/pull?name=${plugin}`),
    enable: () => ask(daemon, 'POST', `/plugins/${plugin}/enable`),
    disable: () => ask(daemon, 'POST', `/plugins/${plugin}/disable`),
    upgrade: () => ask(daemon, 'POST', `/plugins/${plugin}/upgrade`),
    remove: () => ask(daemon, 'DELETE', `/plugins/${plugin}`),
  };
  return { daemon, plugin, actions, inspect: async () => answerOf(daemon, 'GET', `/plugins/${plugin}`) };
}

type Bench = Awaited<ReturnType<typeof start>>;
type Action = keyof Bench['actions'];

const stages = ['absent', 'disabled', 'enabled'] as const;
type Stage = (typeof stages)[number];

async function stageOf({ inspect }: Bench): Promise<Stage> {
  const answer = await inspect();
  if (answer?.status !== 200) return 'absent';
  return (JSON.parse(answer.body) as { Active: boolean }).Active ? 'enabled' : 'disabled';
}

async function bringTo(bench: Bench, stage: Stage): Promise<void> {
  const up: readonly Action[] = ['pull', 'enable'];
  const down: readonly Action[] = ['remove', 'disable'];
  for (;;) {
    const now = stages.indexOf(await stageOf(bench));
    const goal = stages.indexOf(stage);
    if (now === goal) return;
    const action = now < goal ? up[now] : down[now - 1];
    const status = await bench.actions[action as Action]();
    if (status !== 200) throw new Error(`${action} answered ${status}`);
  }
}

/** What plugins leave on the host, whatever their ids. */
const traces = async (daemon: Daemon): Promise<readonly string[]> =>
  (await hostState(daemon))
    .filter((line) => /^(mount|process|group|file .*managed-plugins)/.test(line))
    .map((line) => line.replace(/[0-9a-f]{16,64}/g, 'ID'))
    .sort();

/** From what stage each leads, and where it may be cut off. */
const cuts: readonly (readonly [Action, from: Stage, points: readonly string[]])[] = [
  ['pull', 'absent', ['plugin.pull.unpacked', 'plugin.pull.recorded']],
  ['enable', 'disabled', ['plugin.run.created', 'plugin.enable.running']],
  ['disable', 'enabled', ['plugin.disable.recorded']],
  ['remove', 'disabled', ['plugin.remove.kept', 'plugin.remove.recorded']],
  ['upgrade', 'disabled', ['plugin.upgrade.installed', 'plugin.upgrade.kept', 'plugin.upgrade.recorded']],
  // Last, for what it makes cannot be enabled.
  ['create', 'absent', ['plugin.create.installed', 'plugin.create.recorded']],
];

test.serial('after a kill during a change of a plugin, the next start has all of it or none', async (t) => {
  t.timeout(300_000);
  const bench = await start(t);
  const { daemon, actions } = bench;
  // What each stage leaves without a crash; before, what stays the first time something is done.
  await bringTo(bench, 'enabled');
  const expected = new Map<Stage, readonly string[]>();
  for (const stage of [...stages].reverse()) {
    await bringTo(bench, stage);
    expected.set(stage, await traces(daemon));
  }
  const armed = path.join(daemon.directory, 'crash-at');
  await writeFile(armed, '');
  await daemon.restart({ crashAt: `@${armed}` });
  for (const [action, from, points] of cuts) {
    for (const point of points) {
      await bringTo(bench, from);
      await writeFile(armed, point);
      t.is(await actions[action](), undefined, point);
      await daemon.died();
      await writeFile(armed, '');
      await daemon.restart({ crashAt: `@${armed}` });
      const stage = await stageOf(bench);
      t.deepEqual(await traces(daemon), expected.get(stage) ?? [], `${point}: ${stage}`);
    }
  }
});

test.serial('after repeated kills while plugins are changed, nothing of them is left', async (t) => {
  const bench = await start(t);
  const { daemon, actions } = bench;
  await bringTo(bench, 'enabled');
  await bringTo(bench, 'absent');
  const before = await traces(daemon);
  for (const moment of [60, 250, 600]) {
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) for (const action of ['pull', 'enable', 'disable', 'remove'] as const) await actions[action]();
    })();
    await delay(moment);
    await daemon.crash();
    isOver = true;
    await swapping;
    await daemon.restart();
    if ((await stageOf(bench)) === 'enabled') t.is(await ask(daemon, 'GET', '/volumes'), 200);
  }
  await bringTo(bench, 'absent');
  t.deepEqual(await traces(daemon), before);
});

/** First processes of the plugin's control group. */
async function processOf(daemon: Daemon): Promise<number | undefined> {
  const top = path.join('/sys/fs/cgroup/pids', daemon.name);
  for (const group of await readdir(top).catch(() => [])) {
    if (!group.startsWith('plugin-')) continue;
    const pids = await readFile(path.join(top, group, 'cgroup.procs'), 'utf8').catch(() => '');
    if (pids !== '') return Number(pids.split('\n')[0]);
  }
  return undefined;
}

async function monitorsOf(daemon: Daemon): Promise<readonly number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    if (line.includes('conmon') && line.includes(daemon.directory) && line.includes('plugin-')) found.push(pid);
  }
  return found;
}

test.serial('a killed plugin is restarted, also after a kill of its monitor, and its users continue', async (t) => {
  const bench = await start(t);
  const { daemon, plugin } = bench;
  const { client } = daemon;
  await bringTo(bench, 'enabled');
  const baseline = await traces(daemon);
  await client.createVolume({ Name: 'data', Driver: plugin });
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'i=0; while [ ! -e /data/stop ]; do echo $i; i=$((i+1)); usleep 20000; done; echo end'],
    HostConfig: { Binds: ['data:/data'], NetworkMode: 'none', LogConfig: { Type: plugin, Config: {} } },
  });
  await container.start();
  for (const victim of ['plugin', 'monitor'] as const) {
    const first = await eventually('the plugin runs', () => processOf(daemon));
    const [monitor = 0] = await monitorsOf(daemon);
    process.kill(victim === 'plugin' ? first : monitor, 'SIGKILL');
    const second = await eventually(`it runs again: ${victim}`, async () => {
      const now = await processOf(daemon);
      return now !== first && now;
    });
    t.not(second, first);
    await eventually('it answers', async () => (await ask(daemon, 'GET', '/volumes/data')) === 200);
    t.is((await monitorsOf(daemon)).length, 1, victim);
  }
  t.true((await container.inspect()).State.Running);
  const writer = await container.exec({ Cmd: ['touch', '/data/stop'] });
  await writer.start({ Detach: true });
  await container.wait();
  const lines = String(await container.logs({ stdout: true })).match(/\d+(?=\n)|end/g) ?? [];
  const numbers = [...new Set(lines)].slice(0, -1).map(Number);
  t.deepEqual(
    numbers,
    numbers.map((_, index) => index),
  );
  t.is(lines.at(-1), 'end');
  await container.remove();
  await client.getVolume('data').remove();
  t.deepEqual(await traces(daemon), baseline);
  await bringTo(bench, 'absent');
});
