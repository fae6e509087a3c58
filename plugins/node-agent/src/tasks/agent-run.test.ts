import { SystemClock, silentLogger } from '@gantry/core/driver';
import type { AssignedTask } from '@gantry/services/service';
import test from 'ava';
import type { ContainerFacts } from '../containers/container-facts.js';
import { AgentRun } from './agent-run.js';
import type { WorkerTools } from './task-worker.js';

test('a change that is followed while the node leaves does not give it its tasks back', async (t) => {
  const task = { id: 't1', desiredState: 'running', status: { State: 'running' }, networks: [] };
  let facts: ContainerFacts = { phase: 'running', id: 'c1', pid: 1, health: 'none' } as ContainerFacts;
  const calls: string[] = [];
  let stopped = (): void => undefined;
  const tools = {
    session: {
      signal: AbortSignal.abort('left'),
      hasLeft: () => true,
      assignments: () => [task as unknown as AssignedTask],
    },
    driver: {
      facts: () => facts,
      create: async () => void calls.push('create'),
      stop: () => new Promise<void>((resolve) => (stopped = resolve)),
      async remove() {
        calls.push('remove');
        facts = { phase: 'absent' } as ContainerFacts;
      },
    },
    reporter: { report: () => undefined },
    clock: new SystemClock(),
    log: silentLogger,
  } as unknown as WorkerTools;
  const run = new AgentRun(tools);
  run.begin(new Map([['t1', 'c1']]));
  const abandoned = run.abandon();
  run.update();
  facts = { phase: 'exited', id: 'c1', exitCode: 0 } as unknown as ContainerFacts;
  stopped();
  await abandoned;
  t.deepEqual(calls, ['remove']);
});
