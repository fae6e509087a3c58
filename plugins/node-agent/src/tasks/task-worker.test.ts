import { SystemClock, silentLogger } from '@gantry/core/driver';
import type { AssignedTask } from '@gantry/services/service';
import test from 'ava';
import { TaskWorker, type WorkerTools } from './task-worker.js';

test('a task is stopped once no node sends it connections any more', async (t) => {
  let drained = false;
  const stopped = new Promise((resolve) => {
    const tools = {
      session: {
        signal: new AbortController().signal,
        hasLeft: () => false,
        traffic: {
          drain: async (taskId: string) => {
            t.is(taskId, 't1');
            await new Promise(setImmediate);
            drained = true;
          },
        },
      },
      driver: {
        facts: () => ({ phase: 'running', id: 'c1', pid: 1, health: 'none' }),
        stop: () => {
          resolve(drained);
          return new Promise<void>(() => undefined);
        },
      },
      clock: new SystemClock(),
      log: silentLogger,
    } as unknown as WorkerTools;
    const running = { id: 't1', desiredState: 'running', status: { State: 'running' }, networks: [{}] };
    const worker = new TaskWorker('t1', running as unknown as AssignedTask, 'c1', tools);
    worker.assign({ ...running, desiredState: 'shutdown' } as unknown as AssignedTask);
  });
  t.true(await stopped);
});

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
    networks: [],
    spec: { ContainerSpec: { StopGracePeriod: 1e9 } },
  } as unknown as AssignedTask;
  const stopped = await new Promise((resolve) => {
    new TaskWorker('t1', task, 'c1', toolsWith(resolve)).assign(undefined);
  });
  t.is(stopped, task);
});
