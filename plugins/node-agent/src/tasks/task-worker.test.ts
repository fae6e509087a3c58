import { SystemClock, silentLogger } from '@gantry/core/driver';
import type { AssignedTask } from '@gantry/services/service';
import test from 'ava';
import { TaskWorker, type WorkerTools } from './task-worker.js';

test('a task that is not the node’s any more is stopped as its service says', async (t) => {
  const container = { phase: 'running', id: 'c1', pid: 1, health: 'none' } as const;
  const toolsWith = (stop: (task: AssignedTask | undefined) => void) =>
    ({
      session: { signal: new AbortController().signal, hasLeft: () => true },
      driver: {
        facts: () => container,
        stop: (_id: string, stopped: AssignedTask | undefined) => {
          stop(stopped);
          return new Promise<void>(() => undefined);
        },
      },
      clock: new SystemClock(),
      log: silentLogger,
    }) as unknown as WorkerTools;
  const task = {
    id: 't1',
    desiredState: 'running',
    status: { State: 'running' },
    spec: { ContainerSpec: { StopGracePeriod: 1e9 } },
  } as unknown as AssignedTask;
  const stopped = await new Promise((resolve) => {
    new TaskWorker('t1', task, 'c1', toolsWith(resolve)).assign(undefined);
  });
  t.is(stopped, task);
});
