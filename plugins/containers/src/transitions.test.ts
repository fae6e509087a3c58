import test from 'ava';
import type { ContainerRecord, ContainerState, Run } from './record.js';
import { recordWith } from './testing/configuration-fixture.js';
import {
  abandonStart,
  beginRemoval,
  confirmStart,
  endRestarts,
  endRun,
  failRemoval,
  intendStart,
  isRunning,
  markStopped,
  pauseRun,
  resumeRun,
  type Transition,
} from './transitions.js';

const run: Run = { startedAt: 'a', finishedAt: 'b', exitCode: 1, oomKilled: false };
const states: { readonly [S in ContainerState['status']]: Extract<ContainerState, { status: S }> } = {
  created: { status: 'created' },
  starting: { status: 'starting', since: 's' },
  running: { status: 'running', pid: 1, startedAt: 'a' },
  paused: { status: 'paused', pid: 1, startedAt: 'a' },
  restarting: { status: 'restarting', last: run, delayMs: 100 },
  exited: { status: 'exited', last: run },
  removing: { status: 'removing', withVolumes: false },
  dead: { status: 'dead', reason: 'r' },
};

type Status = ContainerState['status'];

const inState = (state: ContainerState): ContainerRecord => ({ ...recordWith({}), state });
const facts = { pid: 7, startedAt: 't', networkIds: {}, sources: new Map<string, string>() };

/** Where each move leads from each state; a state that is not named refuses it. */
const table: Readonly<Record<string, readonly [Transition, Partial<Record<Status, Status>>]>> = {
  'the intent to start': [
    intendStart('s', { byPolicy: false }),
    { created: 'starting', exited: 'starting', restarting: 'starting', starting: 'starting' },
  ],
  'the end of a start': [confirmStart(facts), { starting: 'running' }],
  'a failed start': [abandonStart(), { starting: 'created' }],
  'an exit': [endRun(run, () => 'stays'), { running: 'exited', paused: 'exited' }],
  'an exit with a policy': [
    endRun(run, () => ({ restartAfterMs: 9 })),
    { running: 'restarting', paused: 'restarting' },
  ],
  'the end of a policy': [endRestarts, { restarting: 'exited' }],
  pause: [pauseRun, { running: 'paused' }],
  unpause: [resumeRun, { paused: 'running' }],
  'a removal': [
    beginRemoval(true),
    { created: 'removing', exited: 'removing', removing: 'removing', dead: 'removing' },
  ],
  'a failed removal': [failRemoval('why'), { removing: 'dead' }],
};

for (const [name, [move, allowed]] of Object.entries(table)) {
  test(`${name} is possible from ${Object.keys(allowed).join(', ')} and from nowhere else`, (t) => {
    for (const state of Object.values(states)) {
      t.is(move(inState(state))?.state.status, allowed[state.status], state.status);
    }
  });
}

test('a start by a user begins the count anew, one by the policy goes on counting', (t) => {
  const record = { ...inState(states.restarting), restartCount: 4, stoppedByUser: true };
  t.like(intendStart('s', { byPolicy: false })(record), { restartCount: 0, stoppedByUser: false });
  const again = intendStart('s', { byPolicy: true })(record);
  t.like(again, { restartCount: 5, stoppedByUser: true });
  t.true(isRunning(again?.state ?? states.dead));
});

test('the run before is remembered through start, run and failed start', (t) => {
  const starting = intendStart('s', { byPolicy: false })(inState(states.exited));
  const again = starting && confirmStart(facts)(starting);
  t.like(again?.state, { status: 'running', previous: run });
  const failed = starting && abandonStart({ message: 'm', exitCode: 127 })(starting);
  t.like(failed?.state, { status: 'exited', last: run, error: { exitCode: 127 } });
});

test('a failed start by the policy waits for the next', (t) => {
  const starting = intendStart('s', { byPolicy: true })(inState(states.restarting));
  const next = starting && abandonStart({ message: 'm', exitCode: 128 }, () => ({ restartAfterMs: 400 }))(starting);
  t.like(next?.state, { status: 'restarting', delayMs: 400, last: { exitCode: 128, error: 'm' } });
});

test('what a start found out stays in the record', (t) => {
  const record: ContainerRecord = {
    ...inState(states.starting),
    networks: { front: {}, back: { networkId: 'old' } },
    mounts: [
      {
        type: 'volume',
        name: 'v',
        source: '',
        destination: '/v',
        mode: '',
        readWrite: true,
        propagation: '',
        anonymous: false,
        copyUp: true,
      },
    ],
  };
  const networkIds = { front: 'f', back: 'b' };
  const started = confirmStart({ ...facts, networkIds, sources: new Map([['/v', '/host/v']]) })(record);
  t.deepEqual(started?.networks, { front: { networkId: 'f' }, back: { networkId: 'b' } });
  t.is(started?.mounts[0]?.source, '/host/v');
  t.true(started?.everStarted);
});

test('that a user stopped it is noted once', (t) => {
  const marked = markStopped(inState(states.running));
  t.true(marked?.stoppedByUser);
  t.is(marked && markStopped(marked), undefined);
});
