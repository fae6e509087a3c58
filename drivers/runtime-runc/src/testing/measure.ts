import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RuntimeDriver } from '@gantry/core/contracts';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import { openTestRuntime } from './open-test-runtime.js';
import { requestFor, specFor } from './request.js';
import { makeRootfs } from './rootfs.js';

/** Prints what the driver adds to the runtime it uses, measured turn by turn: `node dist/testing/measure.js [turns]`. */
const turns = Number(process.argv[2] ?? 20);
const launcher = new SpawnLauncher();
const rootfs = await makeRootfs();
const opened = await openTestRuntime();
const { driver } = opened;
const { path, name } = await driver.describe();
const bundle = await mkdtemp(join(tmpdir(), 'gantry-runtime-measure-'));
const spec = specFor(rootfs.path, ['true']);
const cgroupsPath = `/${bundle.slice(bundle.lastIndexOf('/') + 1)}`;
await writeFile(join(bundle, 'config.json'), JSON.stringify({ ...spec, linux: { ...spec.linux, cgroupsPath } }));
const processFile = join(bundle, 'process.json');
await writeFile(processFile, JSON.stringify(spec.process));

const samples = new Map<string, number[]>();
async function time<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  samples.set(what, [...(samples.get(what) ?? []), performance.now() - begin]);
  return result;
}

async function lifecycle(runtime: RuntimeDriver, id: string): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    const stop = runtime.onExit((exit) => {
      if (exit.id !== id) return;
      stop();
      resolve();
    });
  });
  await time('  create', () => runtime.create(requestFor(rootfs.path, id, ['true'])));
  await time('  start', () => runtime.startTask(id));
  await time('  exit known', () => exited);
  await time('  delete', () => runtime.delete(id));
}

async function exec(runtime: RuntimeDriver, id: string, detached: boolean): Promise<void> {
  const run = await runtime.processes.exec('host', { execId: id, process: spec.process, openStdin: false, detached });
  run.streams?.output.resume();
  await run.exited;
}

const awake = setInterval(() => undefined, 1000);
await driver.create(requestFor(rootfs.path, 'host', ['sleep', '1000']));
await driver.startTask('host');
const root = join(opened.dirs.state, 'memory/runtime');
for (let turn = 0; turn < turns; turn++) {
  await time(`${name} run`, () => launcher.run(path, ['--root', bundle, 'run', '--bundle', bundle, 'measured']));
  await time('create, start, exit, delete', () => lifecycle(driver, `task${turn}`));
  await time(`${name} exec`, () => launcher.run(path, ['--root', root, 'exec', '--process', processFile, 'host']));
  await time('exec, detached', () => exec(driver, `d${turn}`, true));
  await time('exec, attached', () => exec(driver, `a${turn}`, false));
}
await driver.delete('host', { force: true });
await opened.release();
rootfs.remove();
await rm(bundle, { recursive: true, force: true });
clearInterval(awake);

for (const [what, times] of samples) {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1).padStart(6);
  console.log(`${what.padEnd(30)} p50 ${at(0.5)} ms   min ${at(0)} ms`);
}
