import { type Scope, usageOf } from '@gantry/test-nodes';
import type { Fleet } from '../fleet/fleet.js';
import { joinManager, type SwarmManager } from '../manager/start-manager.js';
import { runningTasks } from '../manager/swarm-services.js';
import { until } from '../processes/until.js';
import { type Figures, round } from './figures.js';

interface ListedNode {
  readonly Status: { readonly State: string };
  readonly ManagerStatus?: { readonly Reachability: string };
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
  await fleet.waitForManagers(others.length + 1, limit);
  const cpuBefore = others.map(({ daemon }) => usageOf(daemon.pid).cpuSeconds);
  await manager.daemon.crash();
  const crashed = Date.now();
  await until('another manager leads', limit, async () => leadsIn(others).length > 0);
  await until('every node has heard of the new leader', limit, () => fleet.hasHeardSince(crashed + 100));
  const back = Date.now();
  const leads = leadsIn(others);
  const leader = leads.at(-1)?.manager as SwarmManager;
  const { daemon } = leader;
  const cpu = usageOf(daemon.pid).cpuSeconds - (cpuBefore[others.indexOf(leader)] ?? 0);
  await until('every task is shown as running', limit, async () => (await runningTasks(leader)) === tasks);
  const down = (await listed(leader)).filter(({ Status }) => Status.State !== 'ready').length;
  await manager.daemon.restart();
  return {
    'new leader: seconds until another manager leads': round(((leads[0]?.since ?? 0) - crashed) / 1000, 2),
    'new leader: managers that have led one after the other': leads.length,
    'new leader: seconds until all nodes have their tasks again': round((back - crashed) / 1000, 2),
    'new leader: manager cpu seconds': round(cpu, 1),
    'new leader: manager MiB': usageOf(daemon.pid).memoryMebibytes,
    'new leader: nodes that are not ready': down,
    'new leader: tasks with several containers': await fleet.tasksWithSeveralContainers(),
  };
}

/**
 * Which of them have begun to lead, one after the other, and when, in milliseconds since the epoch: by their logs, since to ask
 * them takes time that this process is short of.
 */
function leadsIn(managers: readonly SwarmManager[]) {
  const leads = managers.flatMap((manager) =>
    manager.daemon
      .log()
      .split('\n')
      .filter((line) => line.includes('"swarm.leading"'))
      .map((line) => ({ manager, since: (JSON.parse(line) as { readonly time: number }).time })),
  );
  return leads.sort((a, b) => a.since - b.since);
}
