import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { definePlugin } from '@gantry/core/plugin';
import { frame } from '@gantry/core/streams';
import engineApi from '@gantry/engine-api';
import { EngineApi } from '@gantry/engine-api/service';
import type { ListedTask, TaskDirectory } from '@gantry/services/service';
import { startEngine } from '@gantry/test-engine';
import { Type } from '@sinclair/typebox';
import test from 'ava';
import type { RemoteLogs } from './remote-logs.js';
import { TaskLogRoutes } from './task-log-routes.js';
import type { TaskLogs } from './task-logs.js';

const taskOn = (nodeId: string): ListedTask => ({
  id: `task-of-${nodeId}`,
  name: 'web.1.x',
  serviceId: 'web',
  nodeId,
  containerId: 'c',
  terminal: false,
});

/** This node has the log of one task; the node `lost` sends a part of another, and the node `away` nothing. */
const logs = {
  has: ({ nodeId }: ListedTask) => nodeId === 'own',
  async *read() {
    yield frame('stdout', Buffer.from('own line\n'));
  },
} as unknown as TaskLogs;
const remote = {
  async *read({ nodeId }: ListedTask) {
    if (nodeId === 'lost') yield frame('stdout', Buffer.from('lost line\n'));
    throw unavailable(`node ${nodeId} is gone`);
  },
} as unknown as RemoteLogs;
const directory = {
  tasksOf: async (_kind: string, reference: string) => reference.split('-').map(taskOn),
} as unknown as TaskDirectory;

@injectable()
class Routes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    new TaskLogRoutes(this.api, this.lifetime, directory, logs, remote).start();
  }
}

const plugin = definePlugin({
  id: 'task-logs',
  requires: [EngineApi],
  configSchema: Type.Object({}),
  setup: () => Routes,
});

test('the log of a service ends with an error that names the nodes it is incomplete for', async (t) => {
  const engine = await startEngine(t, [engineApi, plugin]);
  const read = async (nodes: string) =>
    (await engine.ask('GET', `/services/${nodes}/logs?stdout=1`)).bytes.toString('latin1');
  t.is(await read('own'), frame('stdout', Buffer.from('own line\n')).toString('latin1'));
  const text = await read('own-lost-away');
  for (const line of ['own line', 'lost line']) t.true(text.includes(line), line);
  const reason =
    'Error grabbing logs: rpc error: code = Unknown desc = warning: incomplete log stream. some logs could not be ' +
    'retrieved for the following reasons: ';
  const ends = [
    'node lost is not available, node away is not available\n',
    'node away is not available, node lost is not available\n',
  ];
  t.true(
    ends.some((end) => text.endsWith(frame('systemerr', Buffer.from(reason + end)).toString('latin1'))),
    text,
  );
});
