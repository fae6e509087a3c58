import { Mutex, silentLogger } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import test from 'ava';
import type { Container } from '../container.js';
import type { PendingRestarts } from '../restarts/pending-restarts.js';
import { RestartBackOff } from '../restarts/restart-back-off.js';
import { recordWith } from '../testing/configuration-fixture.js';
import { RestartScheduler } from './restart-scheduler.js';

test('when the disk refuses the end of restarts, it is retried, and nothing rejects unhandled', async (t) => {
  const last = { startedAt: '', finishedAt: '', exitCode: 1, oomKilled: false };
  const timers: (() => void)[] = [];
  const outcomes: string[] = [];
  let record = recordWith({ state: { status: 'restarting', last, delayMs: 100 } });
  const mutex = new Mutex();
  const container = {
    mutex,
    isRemoving: false,
    get record() {
      return record;
    },
    change: async () => {
      outcomes.push(outcomes.length === 0 ? 'refused' : 'stored');
      if (outcomes.at(-1) === 'refused') throw internal('no space left on device');
      record = { ...record, state: { status: 'exited', last } };
      return true;
    },
  } as unknown as Container;
  const pending = {
    schedule: (_container: Container, _delay: number, restart: () => void) => timers.push(restart),
  } as unknown as PendingRestarts;
  const unhandled: unknown[] = [];
  const listener = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', listener);
  t.teardown(() => process.off('unhandledRejection', listener));
  const starter = { start: async () => t.fail('its policy wants no restart') } as never;
  const scheduler = new RestartScheduler(
    pending,
    new RestartBackOff(),
    starter,
    new AbortController().signal,
    silentLogger,
  );
  scheduler.schedule(container);
  for (const due of [0, 1]) {
    timers[due]?.();
    await mutex.run(async () => undefined);
  }
  await new Promise(setImmediate);
  t.deepEqual([outcomes, unhandled, record.state.status], [['refused', 'stored'], [], 'exited']);
});
