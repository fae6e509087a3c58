import { openDriver } from '@gantry/conformance';
import { createRecord } from '@gantry/core/contracts';
import { type Clock, settlesWithin, silentLogger, untilAborted } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { NodeRequest } from '@gantry/lib-cluster-protocol';
import { clusterStore } from '@gantry/memory-drivers';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { AnsweredPaths } from '../connections/answered-paths.js';
import type { SwarmMembership } from '../membership/swarm-membership.js';
import { sessionPath } from '../messages/heartbeat-messages.js';
import { clusters } from '../records/cluster-kind.js';
import { type Node, nodes } from '../records/node-kind.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { NodeHeartbeats } from './node-heartbeats.js';

const millisecond = 1_000_000n;
const second = 1_000n * millisecond;

/** What answers a node that begins a session. */
function answerOf(paths: AnsweredPaths): (request: NodeRequest) => Promise<unknown> {
  const route = paths.get(sessionPath);
  if (route?.type !== 'call') throw new Error('no sessions are answered');
  return route.answer;
}

/** A leader of other nodes, whose clock and timers are the test's. */
async function lead(t: ExecutionContext, others: readonly string[] = ['other']) {
  const { driver, release } = await openDriver(clusterStore);
  t.teardown(release);
  const store = await driver.create({ name: 'm1' });
  const node = (name: string): Node => ({
    spec: { Labels: {}, Role: 'worker', Availability: 'active' },
    description: { Hostname: name } as Node['description'],
    status: { state: 'ready', address: '192.0.2.1' },
  });
  await store.transact([
    createRecord(clusters, 'c1', {
      spec: { Name: 'default', Dispatcher: { HeartbeatPeriod: 5e9 } },
      rootCa: { certificate: 'root', publicKey: 'key' },
    } as never),
    createRecord(nodes, 'leader', node('leader')),
    ...others.map((name) => createRecord(nodes, name, node(name))),
  ]);
  let now = 0n;
  const timers = new Set<{ readonly at: bigint; readonly callback: () => void }>();
  const clock: Clock = {
    now: () => now,
    after: (milliseconds, callback) => {
      const timer = { at: now + BigInt(milliseconds * 1e6), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const session = { store, nodeId: 'leader', signal: store.closed } as unknown as OpenSession;
  const membership: Pick<SwarmMembership, 'settled' | 'present'> = {
    settled: async () => undefined,
    present: () => session,
  };
  const paths = new AnsweredPaths();
  const heartbeats = new NodeHeartbeats(paths, membership as SwarmMembership, {} as never, clock, silentLogger);
  heartbeats.start();
  void heartbeats.whileManager(session);
  const begin = (nodeId: string): Promise<unknown> =>
    answerOf(paths)({
      body: { description: node(nodeId).description, address: '192.0.2.1', dataPath: '192.0.2.1' },
      peer: { nodeId },
      signal: session.signal,
      disconnect: () => undefined,
    } as unknown as NodeRequest);
  const passAt = (time: bigint): void => {
    now = time;
    for (const timer of [...timers].filter(({ at }) => at <= time)) {
      timers.delete(timer);
      timer.callback();
    }
  };
  const stateOf = (id: string) => store.get(nodes, id)?.value.status.state;
  return { begin, passAt, stateOf };
}

test('a node that is not heard of is down', async (t) => {
  const { passAt, stateOf } = await lead(t);
  passAt((125n * second) / 10n);
  await eventually('the node is down', () => stateOf('other') === 'down');
  t.is(stateOf('leader'), 'ready');
});

test('a leader that is late itself waits for its nodes once more', async (t) => {
  const { passAt, stateOf } = await lead(t);
  passAt(20n * second);
  await new Promise(setImmediate);
  t.is(stateOf('other'), 'ready', 'its heartbeat may wait behind the timer');
  passAt(33n * second);
  await eventually('the node is down', () => stateOf('other') === 'down');
});

test('a leader is no node of itself, also when it asked as one before', async (t) => {
  const { begin, passAt, stateOf } = await lead(t);
  await t.throwsAsync(begin('leader'), { message: 'this node leads the swarm itself' });
  passAt((125n * second) / 10n);
  await eventually('the other node is down', () => stateOf('other') === 'down');
  t.is(stateOf('leader'), 'ready');
});

test('of many nodes that are silent together, some are down and the others unknown for a while', async (t) => {
  const others = Array.from({ length: 15 }, (_, index) => `node-${index}`);
  const { passAt, stateOf } = await lead(t, others);
  const statesAre = (down: number, unknown: number) =>
    eventually(`${down} nodes are down and ${unknown} unknown`, () => {
      const states = others.map(stateOf);
      return (
        states.filter((state) => state === 'down').length === down &&
        states.filter((state) => state === 'unknown').length === unknown
      );
    });
  const limit = (125n * second) / 10n;
  passAt(limit - 1n);
  t.true(others.every((id) => stateOf(id) === 'ready'));
  passAt(limit);
  await statesAre(1, 0);
  const last = limit + 14n * millisecond;
  passAt(last - 1n);
  await statesAre(10, 4);
  passAt(last);
  await statesAre(10, 5);
  passAt(last + second);
  await statesAre(11, 4);
  for (const seconds of [2n, 3n, 4n, 5n]) passAt(last + seconds * second);
  await statesAre(15, 0);
});

test('while nodes come one after the other to a new leader, the others are not silent', async (t) => {
  const { begin, passAt, stateOf } = await lead(t, ['early', 'late', 'dead']);
  passAt(11n * second);
  await begin('early');
  passAt((125n * second) / 10n);
  await new Promise(setImmediate);
  t.deepEqual(['late', 'dead'].map(stateOf), ['ready', 'ready']);
  passAt((129n * second) / 10n);
  await begin('late');
  passAt(13n * second);
  await new Promise(setImmediate);
  t.is(stateOf('dead'), 'ready', 'the leader has just had time for another one');
  passAt(15n * second);
  await eventually('the node is down', () => stateOf('dead') === 'down');
  t.is(stateOf('late'), 'ready');
});

/** A manager that does not lead until the signal aborts, and neither does then. */
function follow(decided: AbortSignal) {
  const paths = new AnsweredPaths();
  const membership: Pick<SwarmMembership, 'settled' | 'present'> = {
    settled: () => untilAborted(decided),
    present: () => {
      throw unavailable('another manager leads');
    },
  };
  new NodeHeartbeats(paths, membership as SwarmMembership, {} as never, {} as never, silentLogger).start();
  return (signal: AbortSignal) => answerOf(paths)({ body: {}, peer: undefined, signal } as unknown as NodeRequest);
}

test('a node waits at a manager for as long as none leads', async (t) => {
  const decided = new AbortController();
  const asked = follow(decided.signal)(new AbortController().signal);
  t.false(await settlesWithin(asked, 100));
  decided.abort();
  await t.throwsAsync(asked, { message: 'another manager leads' });
});

test('a node that has gone waits no more', async (t) => {
  const gone = AbortSignal.abort(new Error('the node has gone'));
  await t.throwsAsync(follow(new AbortController().signal)(gone), { message: 'the node has gone' });
});
