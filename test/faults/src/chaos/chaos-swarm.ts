import type { Scope, SwarmNode } from '@gantry/test-nodes';
import { managerDrivers, startNodes, startSwarmOf } from '@gantry/test-nodes';
import { FailingDisk } from '../failing-disk.js';

type Three = readonly [SwarmNode, SwarmNode, SwarmNode];

/** Three managers, each with a disk of its own, and workers. */
export interface ChaosSwarm {
  readonly engines: readonly SwarmNode[];
  readonly managers: Three;
  readonly workers: readonly SwarmNode[];
  diskOf(manager: SwarmNode): FailingDisk;
}

/** Five segments of etcd's log are 320 MiB, and the next one is made in advance. */
const diskMebibytes = 1024;

/** Small, so that it is soon used up. */
const quotaBytes = 32 * 2 ** 20;

export async function startChaosSwarm(scope: Scope, workerCount: number): Promise<ChaosSwarm> {
  const disks = await Promise.all(Array.from({ length: 3 }, () => FailingDisk.mount(scope, diskMebibytes)));
  const etcd = { ...managerDrivers['cluster-store/etcd'], quotaBytes };
  const engines = await startNodes(scope, 3 + workerCount, (number) => {
    const disk = disks[number - 1];
    return { logLevel: 'info', drivers: { 'cluster-store/etcd': etcd }, ...(disk && { place: disk.directory }) };
  });
  await startSwarmOf(engines, 3);
  const managers = engines.slice(0, 3) as unknown as Three;
  return {
    engines,
    managers,
    workers: engines.slice(3),
    diskOf(manager) {
      const disk = disks[managers.indexOf(manager)];
      if (disk === undefined) throw new Error(`${manager.address} is no manager`);
      return disk;
    },
  };
}
