import test from 'ava';
import type { Container } from '../container.js';
import type { ContainerState } from '../record.js';
import { recordWith } from '../testing/configuration-fixture.js';
import { ContainerSizes } from './container-sizes.js';

/** A container whose layer grows with each measurement, so that a measurement shows. */
function fixture(state: ContainerState) {
  let [size, holds, now] = [0, 0 as number | undefined, 0n];
  const container = { record: recordWith({ state }) };
  const storage = {
    writableSize: async () => {
      size += 1;
      return size;
    },
  };
  const sizes = new ContainerSizes(
    { storageOf: () => storage } as never,
    { byId: () => ({ size: 100 }) } as never,
    { byId: () => container as unknown as Container },
    { now: () => now, after: () => () => undefined },
    { holdsOf: () => holds },
  );
  return {
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
  };
}

const running: ContainerState = { status: 'running', pid: 1, startedAt: '' };
const exited = (): ContainerState => ({
  status: 'exited',
  last: { startedAt: '', finishedAt: '', exitCode: 0, oomKilled: false },
});

test('a container that runs is measured each time', async (t) => {
  const { advance, measure } = fixture(running);
  advance(1);
  t.is(await measure(), 1);
  advance(1);
  t.is(await measure(), 2);
});

test('a measurement of a container that runs counts as long as the caller accepts it', async (t) => {
  const { advance, measure, move } = fixture(running);
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
  const { measure, move } = fixture({ status: 'created' });
  t.deepEqual([await measure(), await measure()], [1, 1]);
  move(running);
  t.is(await measure(), 2);
  move(exited());
  t.deepEqual([await measure(), await measure()], [3, 3]);
});

test('a root that others can write to is measured each time, and once more after they are done', async (t) => {
  const { hold, measure } = fixture(exited());
  t.is(await measure(), 1);
  hold(undefined);
  t.deepEqual([await measure(), await measure()], [2, 3]);
  hold(1);
  t.deepEqual([await measure(), await measure()], [4, 4]);
});

test('a size that was measured while the root was being held is not kept', async (t) => {
  const { hold, measure, storage } = fixture(exited());
  const { writableSize } = storage;
  storage.writableSize = async () => {
    hold(1);
    storage.writableSize = writableSize;
    return 50;
  };
  t.is(await measure(), 50);
  t.is(await measure(), 1);
});
