import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findEtcd, percentile } from '@gantry/bench';
import { type ProcessUsage, type Scope, usageOf } from '@gantry/test-nodes';
import { Fleet } from '../fleet/fleet.js';
import { type SwarmManager, startManager } from '../manager/start-manager.js';
import { createService, listTasks, removeService, runningTasks } from '../manager/swarm-services.js';
import type { ScaleOptions } from '../options.js';
import { until } from '../processes/until.js';
import { type Figures, round } from './figures.js';
import { measureNewLeader } from './measure-new-leader.js';

/** Seconds that any single step may take. */
const stepLimit = 600;

const port = 8080;
const portService = { name: 'published', replicas: 10, port };

/** Measures one swarm from its first node on. Reports each figure as soon as it is known. */
export async function runMeasurements(
  t: Scope,
  options: ScaleOptions,
  report: (figures: Figures) => void,
): Promise<void> {
  const manager = await startManager(t, profiling(options));
  const began = performance.now();
  const before = usageOf(manager.daemon.pid);
  const fleet = await Fleet.start(t, {
    count: options.nodes,
    manager: manager.address,
    token: manager.workerToken,
  });
  report({
    'join: seconds': round((performance.now() - began) / 1000, 1),
    'join: manager cpu seconds': round(usageOf(manager.daemon.pid).cpuSeconds - before.cpuSeconds, 1),
    'join: manager MiB': usageOf(manager.daemon.pid).memoryMebibytes,
    'join: MiB a node': round(
      (usageOf(manager.daemon.pid).memoryMebibytes - before.memoryMebibytes) / options.nodes,
      3,
    ),
  });
  report(await heartbeats(manager, options));
  report(await deploy(manager, fleet, options));
  report(await stable(manager, options));
  report(await later(manager, fleet));
  if (options.churn > 0) report(await churn(manager, fleet, options));
  report(await backendChange(manager, fleet));
  if (options.profile !== undefined) return; // a killed process writes none
  report(await restart(manager, fleet, options));
  report(await measureNewLeader(t, { manager, fleet, limit: stepLimit, tasks: options.tasks }));
}

/** The manager writes a profile of its processor time when it ends. */
const profiling = ({ profile }: ScaleOptions): readonly string[] | undefined =>
  profile === undefined ? undefined : ['sh', '-c', 'node=$0; exec "$node" --cpu-prof "--cpu-prof-dir=$PROFILE" "$@"'];

async function heartbeats({ daemon }: SwarmManager, { nodes, stableSeconds }: ScaleOptions): Promise<Figures> {
  await delay(2_000);
  const usage = await usageDuring(daemon.pid, stableSeconds);
  return {
    'heartbeats: share of a core': round(usage.cpuSeconds / stableSeconds, 3),
    'heartbeats: manager MiB': usage.memoryMebibytes,
    'heartbeats: nodes': nodes,
  };
}

async function deploy(manager: SwarmManager, fleet: Fleet, { services, tasks }: ScaleOptions): Promise<Figures> {
  const before = usageOf(manager.daemon.pid);
  const began = performance.now();
  const each = Math.floor(tasks / services);
  for (let index = 0; index < services; index++) {
    const replicas = index === 0 ? tasks - each * (services - 1) : each;
    await createService(manager, { name: `service-${index}`, replicas });
  }
  const servicesCreated = performance.now();
  await until('every task has a container', stepLimit, async () => (await fleet.running()) === tasks);
  const containersRun = performance.now();
  await until('every task is shown as running', stepLimit, async () => (await runningTasks(manager)) === tasks);
  const shown = performance.now();
  const usage = usageOf(manager.daemon.pid);
  const delays = await fleet.takeAssignmentDelays();
  const created = [...(await fleet.createdByTask()).values()];
  return {
    'deploy: tasks': tasks,
    'deploy: seconds until the services are created': round((servicesCreated - began) / 1000, 2),
    'deploy: seconds until every container runs': round((containersRun - began) / 1000, 2),
    'deploy: seconds until all tasks are shown running': round((shown - began) / 1000, 2),
    'deploy: manager cpu seconds': round(usage.cpuSeconds - before.cpuSeconds, 1),
    'deploy: manager MiB': usage.memoryMebibytes,
    'deploy: assigned p50 ms': percentile(delays, 0.5),
    'deploy: assigned p99 ms': percentile(delays, 0.99),
    'deploy: tasks with one container': created.filter((times) => times === 1).length,
    'deploy: tasks with several containers': created.filter((times) => times > 1).length,
  };
}

async function stable(manager: SwarmManager, { stableSeconds }: ScaleOptions): Promise<Figures> {
  const { daemon } = manager;
  await delay(2_000);
  const revision = await storeRevision(manager, 'before');
  const etcd = findEtcd(daemon.directory);
  const etcdBefore = usageOf(etcd);
  const usage = await usageDuring(daemon.pid, stableSeconds);
  const etcdAfter = usageOf(etcd);
  const writes = (await storeRevision(manager, 'after')) - revision - 1;
  const { size } = await stat(join(daemon.directory, 'data/drivers/cluster-store-etcd/data/member/snap/db'));
  return {
    'stable: share of a core': round(usage.cpuSeconds / stableSeconds, 3),
    'stable: etcd share of a core': round((etcdAfter.cpuSeconds - etcdBefore.cpuSeconds) / stableSeconds, 3),
    'stable: etcd MiB': etcdAfter.memoryMebibytes,
    'stable: store writes a second': round(writes / stableSeconds, 2),
    'stable: store MiB on the disk': round(size / 2 ** 20, 1),
  };
}

const laterTasks = 100;

/** Single tasks that are added to the swarm, ten a second. */
async function later(manager: SwarmManager, fleet: Fleet): Promise<Figures> {
  await fleet.takeAssignmentDelays();
  const running = await fleet.running();
  for (let index = 0; index < laterTasks; index++) {
    await createService(manager, { name: `later-${index}`, replicas: 1 });
    await delay(100);
  }
  await until(
    'every added task has a container',
    stepLimit,
    async () => (await fleet.running()) === running + laterTasks,
  );
  const delays = await fleet.takeAssignmentDelays();
  for (let index = 0; index < laterTasks; index++) await removeService(manager, `later-${index}`);
  await until('no added task is left', stepLimit, async () => (await fleet.running()) === running);
  return {
    'later: tasks added one by one': delays.length,
    'later: assigned p50 ms': percentile(delays, 0.5),
    'later: assigned p99 ms': percentile(delays, 0.99),
  };
}

const churnRounds = 20;

/** Services come and go: the memory of the manager after each half of them, and that of its store. */
async function churn(manager: SwarmManager, fleet: Fleet, { churn: tasks }: ScaleOptions): Promise<Figures> {
  const running = await fleet.running();
  const replicas = Math.ceil(tasks / churnRounds);
  const began = performance.now();
  const round = async (): Promise<number> => {
    await createService(manager, { name: 'churn', replicas });
    await until('every task of the round runs', stepLimit, async () => (await fleet.running()) === running + replicas);
    await removeService(manager, 'churn');
    await until('no task of the round is left', stepLimit, async () => (await fleet.running()) === running);
    return usageOf(manager.daemon.pid).memoryMebibytes;
  };
  const memory: number[] = [];
  for (let index = 0; index < churnRounds; index++) memory.push(await round());
  return {
    'churn: tasks created and removed': replicas * churnRounds,
    'churn: seconds': Math.round((performance.now() - began) / 1000),
    'churn: manager MiB after half of the rounds': memory[churnRounds / 2 - 1] ?? 0,
    'churn: manager MiB after all rounds': memory.at(-1) ?? 0,
    'churn: most MiB of the manager in the first half': Math.max(...memory.slice(0, churnRounds / 2)),
    'churn: most MiB of the manager in the second half': Math.max(...memory.slice(churnRounds / 2)),
  };
}

/** The number of the newest transaction of the store: that of a config which is created for it. */
async function storeRevision({ ask }: SwarmManager, name: string): Promise<number> {
  const { ID } = await ask<{ readonly ID: string }>('POST', '/configs/create', { Name: name, Data: 'eA==' });
  return (await ask<{ readonly Version: { readonly Index: number } }>('GET', `/configs/${ID}`)).Version.Index;
}

/** One backend of a published port ends, and is replaced: until every node has the new ones in effect. */
async function backendChange(manager: SwarmManager, fleet: Fleet): Promise<Figures> {
  const before = usageOf(manager.daemon.pid);
  const began = performance.now();
  await createService(manager, portService);
  const { replicas } = portService;
  await until('every node leads to all backends', stepLimit, () =>
    fleet.hasBackends({ count: replicas, of: [], kept: 0 }),
  );
  const published = performance.now();
  const usage = usageOf(manager.daemon.pid);
  await delay(3_000);
  const [task] = (await listTasks(manager)).slice(-replicas);
  const old = { of: await fleet.backends(), kept: replicas - 1 };
  const exited = performance.now();
  const cpuAtExit = usageOf(manager.daemon.pid).cpuSeconds;
  await fleet.fail(task?.ID ?? '');
  await until('no node leads to the backend that ended', stepLimit, () => fleet.hasBackends(old));
  const removed = performance.now();
  const cpuUntilRemoved = usageOf(manager.daemon.pid).cpuSeconds - cpuAtExit;
  await until('every node leads to the new backend', stepLimit, () => fleet.hasBackends({ count: replicas, ...old }));
  const replaced = performance.now();
  await removeService(manager, portService.name);
  await until('no node publishes the port', stepLimit, () => fleet.isWithoutPorts());
  return {
    'port: seconds until published on all nodes': round((published - began) / 1000, 2),
    'port: manager cpu seconds': round(usage.cpuSeconds - before.cpuSeconds, 1),
    'port: ms until an ended backend is gone from all nodes': round(removed - exited),
    'port: manager cpu seconds until then': round(cpuUntilRemoved, 2),
    'port: ms until its replacement is on all nodes': round(replaced - exited),
  };
}

/** The manager dies as by kill -9, and is started again at once. */
async function restart({ daemon, ...manager }: SwarmManager, fleet: Fleet, { tasks }: ScaleOptions): Promise<Figures> {
  await daemon.crash();
  const crashed = Date.now();
  await daemon.restart();
  const answered = Date.now();
  const cpu = usageOf(daemon.pid);
  await until('every node has heard of the manager', stepLimit, () => fleet.hasHeardSince(crashed + 100));
  const back = Date.now();
  const usage = usageOf(daemon.pid);
  await until('every task is shown as running', stepLimit, async () => {
    return (await runningTasks({ daemon, ...manager }).catch(() => 0)) === tasks;
  });
  const states = await manager.ask<readonly { readonly Status: { readonly State: string } }[]>('GET', '/nodes');
  return {
    'restart: seconds until the manager answers': round((answered - crashed) / 1000, 2),
    'restart: seconds until all nodes have their tasks again': round((back - crashed) / 1000, 2),
    'restart: manager cpu seconds': round(usage.cpuSeconds - cpu.cpuSeconds, 1),
    'restart: nodes that are not ready': states.filter(({ Status }) => Status.State !== 'ready').length,
    'restart: containers that run': await fleet.running(),
    'restart: tasks with several containers': await fleet.tasksWithSeveralContainers(),
  };
}

async function usageDuring(pid: number, seconds: number): Promise<ProcessUsage> {
  const before = usageOf(pid);
  await delay(seconds * 1000);
  const after = usageOf(pid);
  return { cpuSeconds: after.cpuSeconds - before.cpuSeconds, memoryMebibytes: after.memoryMebibytes };
}
