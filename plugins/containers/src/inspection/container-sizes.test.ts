import { StateDrivers } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { state as memoryState } from '@gantry/memory-drivers';
import { startEngine } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import type { Container } from '../container.js';
import type { ContainerState } from '../record.js';
import { StoredSizes } from '../store/stored-sizes.js';
import { recordWith } from '../testing/configuration-fixture.js';
import { ContainerSizes } from './container-sizes.js';

/** A container whose layer grows with each measurement, so that a measurement shows. */
async function fixture(t: ExecutionContext, state: ContainerState) {
  const engine = await startEngine(t, [memoryState], { listens: false });
  const states = engine.kernel.drivers(StateDrivers);
  let [size, holds, now] = [0, 0 as number | undefined, 0n];
  const container = { record: recordWith({ state }) };
  const storage = {
    writableSize: async () => {
      size += 1;
      return size;
    },
  };
  let stored = new StoredSizes(states, silentLogger);
  const open = () =>
    new ContainerSizes(
      { storageOf: () => storage } as never,
      { byId: () => ({ size: 100 }) } as never,
      { byId: () => container as unknown as Container },
      { now: () => now, after: () => () => undefined },
      { holdsOf: () => holds },
      stored,
    );
  let sizes = open();
  return {
    isUnmeasured: () => sizes.isUnmeasured(container.record),
    measure: async (maxAge = 0) => (await sizes.measure(container.record, { maxAge })).writable,
    advance: (milliseconds: number) => {
      now += BigInt(milliseconds) * 1_000_000n;
    },
    move: (next: ContainerState) => {
      container.record = recordWith({ state: next });
    },
    hold: (count: number | undefined) => {
      holds = count;
    },
    storage,
    forget: () => stored.forget(container.record.id),
    /** As the next daemon: with records parsed again. */
    restart: async () => {
      // Behind what is being written.
      await states.get().transaction(() => undefined);
      container.record = recordWith({ state: structuredClone(container.record.state) });
      holds = 0;
      stored = new StoredSizes(states, silentLogger);
      sizes = open();
    },
  };
}

const running: ContainerState = { status: 'running', pid: 1, startedAt: '' };
const exited = (): ContainerState => ({
  status: 'exited',
  last: { startedAt: '', finishedAt: '', exitCode: 0, oomKilled: false },
});

test('a container that runs is measured each time', async (t) => {
  const { advance, measure } = await fixture(t, running);
  advance(1);
  t.is(await measure(), 1);
  advance(1);
  t.is(await measure(), 2);
});

test('a measurement of a container that runs counts as long as the caller accepts it', async (t) => {
  const { advance, measure, move } = await fixture(t, running);
  t.is(await measure(1000), 1);
  advance(1000);
  t.is(await measure(1000), 1);
  advance(1);
  t.is(await measure(1000), 2);
  advance(1);
  t.is(await measure(), 3);
  move({ ...running, pid: 2 });
  t.is(await measure(1000), 4);
});

test('one that does not run is measured once, and again after its next run', async (t) => {
  const { measure, move } = await fixture(t, { status: 'created' });
  t.deepEqual([await measure(), await measure()], [1, 1]);
  move(running);
  t.is(await measure(), 2);
  move(exited());
  t.deepEqual([await measure(), await measure()], [3, 3]);
});

test('what is still to be measured does not run, has no size of its state, and is not held', async (t) => {
  const { hold, isUnmeasured, measure, move, restart } = await fixture(t, { status: 'created' });
  t.true(isUnmeasured());
  await measure();
  t.false(isUnmeasured());
  await restart();
  t.false(isUnmeasured());
  hold(undefined);
  t.false(isUnmeasured());
  hold(1);
  await measure();
  hold(2);
  t.true(isUnmeasured());
  move(running);
  t.false(isUnmeasured());
  move(exited());
  t.true(isUnmeasured());
});

test('a root that others can write to is measured each time, and once more after they are done', async (t) => {
  const { hold, measure } = await fixture(t, exited());
  t.is(await measure(), 1);
  hold(undefined);
  t.deepEqual([await measure(), await measure()], [2, 3]);
  hold(1);
  t.deepEqual([await measure(), await measure()], [4, 4]);
});

test('a size that was measured while the root was being held is not kept', async (t) => {
  const { hold, measure, storage } = await fixture(t, exited());
  const { writableSize } = storage;
  storage.writableSize = async () => {
    hold(1);
    storage.writableSize = writableSize;
    return 50;
  };
  t.is(await measure(), 50);
  t.is(await measure(), 1);
});

test('the next daemon knows the sizes of containers that do not run, unless their layers were written to since', async (t) => {
  const { forget, hold, measure, move, restart } = await fixture(t, exited());
  t.is(await measure(), 1);
  await restart();
  t.is(await measure(), 1);
  await forget();
  hold(undefined);
  await restart();
  t.is(await measure(), 2);
  move({ ...exited(), last: { startedAt: '', finishedAt: 'later', exitCode: 0, oomKilled: false } } as ContainerState);
  await restart();
  t.is(await measure(), 3);
});
