import { setImmediate } from 'node:timers/promises';
import type { LogRequest } from '@gantry/container-logs/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { definePlugin } from '@gantry/core/plugin';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import type { ListedTask, TaskDirectory } from '@gantry/services/service';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import type { RemoteLogs } from './remote-logs.js';
import { TaskLogRoutes } from './task-log-routes.js';
import type { TaskLogs } from './task-logs.js';

const count = 30;

/** A service of many tasks, each of which has one line and listens to the signal of the request. */
const directory: Partial<TaskDirectory> = {
  tasksOf: async () =>
    Array.from({ length: count }, (_, index) => ({ id: `t${index}`, containerId: `c${index}` }) as ListedTask),
};
const logs: Partial<TaskLogs> = {
  has: () => true,
  async *read({ id }: ListedTask, { signal }: LogRequest) {
    signal.addEventListener('abort', () => undefined);
    await setImmediate();
    yield Buffer.from(`${id}\n`);
  },
};

@injectable()
class Routes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    const routes = new TaskLogRoutes(
      this.api,
      this.lifetime,
      directory as TaskDirectory,
      logs as TaskLogs,
      {} as RemoteLogs,
    );
    routes.start();
  }
}

test('a log of many tasks has the lines of all, and no emitter has a listener for each', async (t) => {
  const warnings: string[] = [];
  const warn = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', warn);
  t.teardown(() => process.off('warning', warn));
  const area = definePlugin({ id: 'area', requires: [EngineApi], configSchema: Type.Object({}), setup: () => Routes });
  const { ask } = await startEngine(t, [engineApi, area]);
  const answer = await ask('GET', '/services/s/logs?stdout=1');
  const lines = answer.text.trim().split('\n');
  t.deepEqual(lines.sort(), Array.from({ length: count }, (_, index) => `t${index}`).sort());
  await setImmediate();
  t.deepEqual(warnings, []);
});
