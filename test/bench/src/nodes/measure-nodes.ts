import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { NodeClient } from './node-client.js';

/** Milliseconds between looks at the swarm, which bounds how exact a figure is. */
const pause = 50;
/** After which a figure is given up, in milliseconds. */
const limit = 180_000;
const replicas = 18;

type Role = 'leader' | 'worker';

/**
 * Measures a swarm of three engines that are in none, and ends one of them by `kill -9`: a worker of one manager, or the leader
 * of three managers.
 *
 *     node dist/nodes/measure-nodes.js worker SOCKET,ADDRESS,PID SOCKET,ADDRESS,PID SOCKET,ADDRESS,PID
 *
 * All have the image `busybox:latest`, and reach each other by their addresses.
 */
async function main([role, ...engines]: readonly string[]): Promise<void> {
  if ((role !== 'leader' && role !== 'worker') || engines.length !== 3) {
    throw new Error('usage: measure-nodes.js leader|worker SOCKET,ADDRESS,PID SOCKET,ADDRESS,PID SOCKET,ADDRESS,PID');
  }
  for (const [figure, milliseconds] of Object.entries(await measure(role, engines))) {
    process.stdout.write(`${figure.padEnd(44)} ${(milliseconds / 1000).toFixed(2)} s\n`);
  }
}

async function measure(role: Role, engines: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const nodes = engines.map((engine) => {
    const [socket = '', address = '', pid] = engine.split(',');
    return { client: new NodeClient(socket, address), pid: Number(pid) };
  });
  const [first, second, third] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
  await first.client.makeSwarm();
  for (const { client } of [second, third]) {
    await client.join(first.client, role === 'leader' ? 'Manager' : 'Worker');
  }
  await until(async () => (await first.client.readyNodes()).length === nodes.length);
  const created = await timed(async () => {
    await first.client.create('measured', replicas);
    await until(async () => (await first.client.runningTasks()).length === replicas);
  });
  const [victim, asked] = role === 'leader' ? [first, second] : [third, first];
  const lost = await victim.client.nodeId();
  const began = performance.now();
  process.kill(victim.pid, 'SIGKILL');
  const since = async (isReached: () => Promise<boolean>) => {
    await until(isReached);
    return performance.now() - began;
  };
  const figures: Record<string, number> = { [`create, ${replicas} replicas run on three nodes`]: created };
  if (role === 'leader') {
    figures['leader killed, a service is changed'] = await since(() => asked.client.relabel('measured'));
  } else {
    figures['worker killed, shown as down'] = await since(
      async () => !(await asked.client.readyNodes()).includes(lost),
    );
  }
  figures[`${role} killed, its tasks run elsewhere`] = await since(async () => {
    const tasks = await asked.client.runningTasks();
    return tasks.length === replicas && tasks.every(({ node }) => node !== lost);
  });
  return figures;
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + limit;
  // Without a leader, requests fail or are not answered.
  while (!(await isReached().catch(() => false))) {
    if (performance.now() > end) throw new Error(`not reached within ${limit / 1000} s`);
    await delay(pause);
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

await main(process.argv.slice(2));
