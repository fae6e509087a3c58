import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import certificateAuthority from '@gantry/certificate-authority-local';
import cluster from '@gantry/cluster';
import { ClusterService } from '@gantry/cluster/service';
import { ClusterNetworks } from '@gantry/cluster-networks/service';
import clusterStore from '@gantry/cluster-store-etcd';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { log, network, volume } from '@gantry/memory-drivers';
import { NetworkService } from '@gantry/networks/service';
import services from '@gantry/services';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import { findEtcd } from './find-etcd.js';
import { taskAgent } from './task-agent.js';

/** Tasks of the service, how often they are made and removed, and how often ten times as many. */
const size = 1_000;
const [rounds = 10, cycles = 2] = process.argv.slice(2).map(Number);
/** Seconds for which all tasks are left alone. */
const idleSeconds = 30;

const noNetworks = definePlugin({
  id: 'no-networks',
  provides: [NetworkService, ClusterNetworks],
  configSchema: Type.Object({}),
  setup({ container }) {
    container.registerValue(NetworkService.token, {} as unknown as NetworkService);
    container.registerValue(ClusterNetworks.token, { addUsers: () => () => undefined });
    container.provide(NetworkService, NetworkService.token);
    container.provide(ClusterNetworks, ClusterNetworks.token);
  },
});

/**
 * A manager with the real store and simulated agents: `node --expose-gc dist/cluster/measure-tasks.js [ROUNDS [CYCLES]]`
 * makes and removes a thousand tasks in each round; in each cycle ten thousand run, are left alone and are removed. Prints
 * the memory of the manager and of etcd, of each what is its own and what is mapped from files, and writes to etcd.
 */
async function main(): Promise<void> {
  const releases: (() => Promise<void> | void)[] = [];
  const t = { teardown: (release: () => Promise<void> | void) => void releases.push(release) };
  const use = [
    engineApi,
    clusterStore,
    certificateAuthority,
    volume,
    network,
    log,
    noNetworks,
    cluster,
    services,
    taskAgent,
  ];
  const engine = await startEngine(t, use);
  const address = { ListenAddr: '127.0.0.1:2377', AdvertiseAddr: '127.0.0.1:2377' };
  await expect(200, engine.ask('POST', '/swarm/init', { body: address }));
  await expect(201, engine.ask('POST', '/services/create', { body: spec(0) }));
  const { store } = await engine.kernel.service(ClusterService).manager();
  const etcd = findEtcd(engine.directory);
  const scale = async (replicas: number): Promise<void> => {
    const answer = await engine.ask('GET', '/services/web');
    const version = answer.json<{ readonly Version: { readonly Index: number } }>().Version.Index;
    await expect(200, engine.ask('POST', `/services/web/update?version=${version}`, { body: spec(replicas) }));
    for (;;) {
      const [service] = (await engine.ask('GET', '/services?status=1')).json<Row[]>();
      // The list of all tasks costs this process more than the orchestration: it is only read at the end.
      if (service?.ServiceStatus.RunningTasks === replicas) {
        const tasks = (await engine.ask('GET', '/tasks')).json<object[]>();
        if (tasks.length === replicas) return;
      }
      await delay(100);
    }
  };
  const show = (what: string): void => {
    globalThis.gc?.();
    const heap = toMebibytes(process.memoryUsage().heapUsed);
    const parts = [
      `manager ${memoryOf(process.pid)}, heap ${heap}`,
      `etcd ${memoryOf(etcd)}`,
      `revision ${store.revision}`,
    ];
    process.stdout.write(`${what.padEnd(28)} ${parts.join('  ')}\n`);
  };
  show('no tasks');
  for (let round = 1; round <= rounds; round++) {
    const began = performance.now();
    await scale(size);
    await scale(0);
    show(`${round * size} made and removed`);
    process.stdout.write(`${''.padEnd(28)} ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  }
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const began = performance.now();
    await scale(size * 10);
    show(`${size * 10} run, ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const before = store.revision;
    await delay(idleSeconds * 1000);
    show(`${idleSeconds} s later`);
    process.stdout.write(`writes while stable: ${((store.revision - before) / idleSeconds).toFixed(1)} a second\n`);
    await scale(0);
    await delay(130_000); // two intervals of the store's maintenance
    show('all removed, 130 s later');
  }
  for (const release of releases.reverse()) await release();
}

interface Row {
  readonly ServiceStatus: { readonly RunningTasks: number };
}

const spec = (replicas: number) => ({
  Name: 'web',
  Mode: { Replicated: { Replicas: replicas } },
  TaskTemplate: { ContainerSpec: { Image: 'busybox' } },
});

async function expect(
  status: number,
  asked: Promise<{ readonly status: number; readonly text: string }>,
): Promise<void> {
  const answer = await asked;
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.text}`);
}

const toMebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** Proportional set size in MiB, and what of it is no file's. */
function memoryOf(pid: number): string {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const part = (name: string) =>
    toMebibytes(Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) * 1024);
  return `${part('Pss')} MiB (anonymous ${part('Pss_Anon')})`;
}

await main();
