import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { Fleet } from './fleet/fleet.js';
import { startManager } from './manager/start-manager.js';
import { createService, listTasks } from './manager/swarm-services.js';

const nodeCount = 50;
const taskCount = 500;

test('fifty nodes run five hundred tasks once each, also over a kill of the manager', async (t) => {
  const manager = await startManager(t);
  const fleet = await Fleet.start(t, { count: nodeCount, manager: manager.address, token: manager.workerToken });
  for (const name of ['web', 'api']) await createService(manager, { name, replicas: taskCount / 2 });
  await eventually('all tasks run', async () => (await fleet.running()) === taskCount);
  await manager.daemon.crash();
  await manager.daemon.restart();
  const tasks = await eventually('all tasks are shown as running', async () => {
    const listed = await listTasks(manager).catch(() => []); // the swarm is being opened
    return listed.filter(({ Status }) => Status.State === 'running').length === taskCount && listed;
  });
  t.is(tasks.length, taskCount, 'no task was replaced');
  const created = await fleet.createdByTask();
  t.deepEqual([...created.keys()].sort(), tasks.map(({ ID }) => ID).sort());
  t.true([...created.values()].every((times) => times === 1));
  t.is(await fleet.running(), taskCount);
  const nodes = await manager.ask<readonly { readonly ID: string; readonly Status: { readonly State: string } }[]>(
    'GET',
    '/nodes',
  );
  t.is(nodes.length, nodeCount + 1);
  t.true(nodes.every(({ Status }) => Status.State === 'ready'));
  const perNode = new Map<string, number>();
  for (const { NodeID = '' } of tasks) perNode.set(NodeID, (perNode.get(NodeID) ?? 0) + 1);
  t.deepEqual([...new Set(perNode.values())], [taskCount / nodeCount], 'every node has the same number of tasks');
});
