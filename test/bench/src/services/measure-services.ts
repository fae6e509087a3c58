import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceClient, type TaskRow } from './service-client.js';

/** Milliseconds between looks at the tasks, which bounds how exact a figure is. */
const pause = 50;

const replicas = 20;

/**
 * Measures services of a swarm of one node, Gantry's and the reference's one after the other on the same machine:
 *
 *     node dist/services/measure-services.js gantry=/run/gantry.sock reference=/tmp/reference/a/docker.sock
 *
 * Both engines have the image `busybox:latest`, and are in no swarm or one of their own.
 */
async function main(subjects: readonly string[]): Promise<void> {
  const results = new Map<string, Readonly<Record<string, number>>>();
  for (const subject of subjects) {
    const [name = '', socket = ''] = subject.split('=');
    results.set(name, await measure(new ServiceClient(socket)));
  }
  for (const [name, figures] of results) {
    for (const [figure, milliseconds] of Object.entries(figures)) {
      process.stdout.write(`${name.padEnd(12)} ${figure.padEnd(40)} ${(milliseconds / 1000).toFixed(2)} s\n`);
    }
  }
}

async function measure(client: ServiceClient): Promise<Readonly<Record<string, number>>> {
  await client.joinSwarm();
  const created = await timed(async () => {
    await client.create('measured', replicas);
    await until(client, (tasks) => runningOf(tasks).length === replicas);
  });
  const scaledUp = await timed(async () => {
    await client.update('measured', { replicas: 2 * replicas });
    await until(client, (tasks) => runningOf(tasks).length === 2 * replicas);
  });
  const scaledDown = await timed(async () => {
    await client.update('measured', { replicas });
    await client.untilContainers(replicas, pause);
  });
  const updated = await timed(async () => {
    await client.update('measured', { env: 'NEW=1' });
    await until(client, (tasks) => runningOf(tasks).filter(({ env }) => env.includes('NEW=1')).length === replicas);
  });
  const replaced = await replace(client);
  await client.remove('measured');
  await client.untilContainers(0, pause);
  return {
    'create, 20 replicas run': created,
    'scale +20': scaledUp,
    'scale -20, containers gone': scaledDown,
    'rolling update one by one, per task': updated / replicas,
    'killed task replaced': replaced,
  };
}

/** The median of five. */
async function replace(client: ServiceClient): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const before = runningOf(await client.tasks());
    const [victim] = before;
    if (victim === undefined) throw new Error('no task runs');
    const known = new Set(before.map(({ id }) => id));
    const time = await timed(async () => {
      await client.kill(victim.containerId);
      await until(client, (tasks) => runningOf(tasks).some(({ id }) => !known.has(id)));
    });
    times.push(time);
  }
  return times.sort((left, right) => left - right)[2] ?? Number.NaN;
}

const runningOf = (tasks: readonly TaskRow[]): readonly TaskRow[] =>
  tasks.filter(({ desired, state }) => state === 'running' && desired === 'running');

async function until(client: ServiceClient, isReached: (tasks: readonly TaskRow[]) => boolean): Promise<void> {
  while (!isReached(await client.tasks())) await delay(pause);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

await main(process.argv.slice(2));
