import { type Scope, usageOf } from '@gantry/test-nodes';
import { joinManager, type SwarmManager } from '../manager/start-manager.js';
import { runningTasks } from '../manager/swarm-services.js';
import type { Fleet } from '../nodes/start-fleet.js';
import { type Figures, round } from './figures.js';
import { until } from './until.js';

interface ListedNode {
  readonly Status: { readonly State: string };
  readonly ManagerStatus?: { readonly Leader?: boolean; readonly Reachability: string; readonly Addr: string };
}

interface MeasuredSwarm {
  /** It leads, alone. */
  readonly manager: SwarmManager;
  readonly fleet: Fleet;
  /** That run. */
  readonly tasks: number;
  /** Seconds that each step may take. */
  readonly limit: number;
}

/** Two more managers join, and then the leader dies as by kill -9: until one of them leads all nodes. */
export async function measureNewLeader(t: Scope, { fleet, limit, manager, tasks }: MeasuredSwarm): Promise<Figures> {
  const others = [await joinManager(t, manager), await joinManager(t, manager)];
  const listed = ({ ask }: SwarmManager) => ask<readonly ListedNode[]>('GET', '/nodes').catch(() => []);
  await until('all managers are reachable', limit, async () => {
    const found = (await listed(manager)).map(({ ManagerStatus: status }) => status?.Reachability);
    return found.filter((each) => each === 'reachable').length === others.length + 1;
  });
  for (const node of fleet.nodes) {
    await until('every node knows the managers', limit, async () => (await node.managers()) === others.length + 1);
  }
  const cpuBefore = others.map(({ daemon }) => usageOf(daemon.pid).cpuSeconds);
  await manager.daemon.crash();
  const crashed = Date.now();
  let leader: SwarmManager | undefined;
  await until('another manager leads', limit, async () => {
    const nodes = await listed(others[0] as SwarmManager);
    const status = nodes.find(({ ManagerStatus: each }) => each?.Leader)?.ManagerStatus;
    leader = others.find(({ address }) => address === status?.Addr);
    return leader !== undefined;
  });
  const led = Date.now();
  await until('every node has heard of the new leader', limit, () =>
    fleet.nodes.every(({ heardAt }) => heardAt > crashed + 100),
  );
  const back = Date.now();
  const { daemon } = leader as SwarmManager;
  const cpu = usageOf(daemon.pid).cpuSeconds - (cpuBefore[others.indexOf(leader as SwarmManager)] ?? 0);
  await until(
    'every task is shown as running',
    limit,
    async () => (await runningTasks(leader as SwarmManager)) === tasks,
  );
  const down = (await listed(leader as SwarmManager)).filter(({ Status }) => Status.State !== 'ready').length;
  await manager.daemon.restart();
  const counts = [...fleet.createdByTask().values()];
  return {
    'new leader: seconds until another manager leads': round((led - crashed) / 1000, 2),
    'new leader: seconds until all nodes have their tasks again': round((back - crashed) / 1000, 2),
    'new leader: manager cpu seconds': round(cpu, 1),
    'new leader: manager MiB': usageOf(daemon.pid).memoryMebibytes,
    'new leader: nodes that are not ready': down,
    'new leader: tasks with several containers': counts.filter((times) => times > 1).length,
  };
}
