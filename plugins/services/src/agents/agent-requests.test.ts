import type { AnsweredRequest, ManagerSession, NodeConnections } from '@gantry/cluster/service';
import { openDriver } from '@gantry/conformance';
import { createRecord } from '@gantry/core/contracts';
import { Lifetime } from '@gantry/core/driver';
import { EngineError } from '@gantry/core/errors';
import { clusterStore } from '@gantry/memory-drivers';
import test from 'ava';
import { taskKind } from '../records/record-kinds.js';
import type { TaskRecord } from '../records/task-record.js';
import { AgentRequests } from './agent-requests.js';
import { AssignmentFeed } from './assignment-feed.js';
import { credentialsPath, filesPath } from './assignment-messages.js';

const task = (id: string, nodeId: string): TaskRecord => ({
  ID: id,
  CreatedAt: '2026-01-01T00:00:00Z',
  ServiceID: 's1',
  NodeID: nodeId,
  Spec: {},
  SpecVersion: 1,
  ServiceName: 'web',
  ServiceLabels: {},
  Ports: [],
  Status: { Timestamp: '2026-01-01T00:00:00Z', State: 'running', Message: '' },
  DesiredState: 'running',
});

test('a node is refused the secrets and credentials of tasks that are not its own', async (t) => {
  const { driver, release } = await openDriver(clusterStore);
  t.teardown(release);
  const store = await driver.create({ name: 'm1' });
  await store.transact([
    createRecord(taskKind, 't1', task('t1', 'n1')),
    createRecord(taskKind, 't2', task('t2', 'n2')),
  ]);
  const answers = new Map<string, (request: AnsweredRequest) => Promise<unknown>>();
  const connections = {
    answer: (path: string, answer: (request: AnsweredRequest) => Promise<unknown>) => void answers.set(path, answer),
    answerStream: () => () => undefined,
  } as unknown as NodeConnections;
  const requests = new AgentRequests(
    connections,
    new AssignmentFeed(),
    { report: async () => undefined } as never,
    { filesOf: async () => [] } as never,
    { of: () => ({ username: 'u' }) } as never,
    new Lifetime(),
  );
  requests.start();
  const ask = (path: string, taskId: string) =>
    answers.get(path)?.({
      session: { store } as ManagerSession,
      nodeId: 'n1',
      body: taskId,
      signal: new AbortController().signal,
    });
  t.deepEqual(await ask(filesPath, 't1'), []);
  t.deepEqual(await ask(credentialsPath, 't1'), { username: 'u' });
  for (const path of [filesPath, credentialsPath]) {
    for (const other of ['t2', 'nosuch']) {
      const error = await t.throwsAsync(async () => ask(path, other), { instanceOf: EngineError });
      t.is(error?.kind, 'not-found');
    }
  }
});
