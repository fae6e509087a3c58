import type { Clock } from '@gantry/core/driver';
import test from 'ava';

import { type Reading, Sampler, type SamplerOptions } from './sampler.js';
import type { Sample } from './stats-record.js';

/** A clock that advances only by `pass`. */
class ManualClock implements Clock {
  #timers: { readonly at: number; readonly callback: () => void }[] = [];
  #now = 0;

  now(): bigint {
    return BigInt(this.#now) * 1_000_000n;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get waiting(): number {
    return this.#timers.length;
  }

  /** Advances the clock and lets due timers settle. */
  async pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { callback } of due) callback();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const sampleOf = (total: number): Sample => ({
  task: {
    readAt: new Date(total),
    cpu: {
      total,
      user: 0,
      kernel: 0,
      perCpu: [],
      throttling: { periods: 0, throttledPeriods: 0, throttledTime: 0 },
    },
  },
  system: { usage: total * 2, online: 2 },
});

interface Fixture {
  readonly clock: ManualClock;
  readonly sampler: Sampler;
  readonly state: { taken: number; isRunning: boolean; between: boolean; ended: boolean };
}

/** Counts up with every sample. */
function startSampler(recent?: Sample, take?: SamplerOptions['take']): Fixture {
  const clock = new ManualClock();
  const state = { taken: 0, isRunning: true, between: false, ended: false };
  const sampler = new Sampler({
    clock,
    recent,
    take: take ?? (async () => (state.between ? undefined : sampleOf(++state.taken))),
    isRunning: () => state.isRunning,
    onEnd: () => {
      state.ended = true;
    },
  });
  return { clock, sampler, state };
}

const totals = (reading: Reading | undefined): unknown =>
  reading && [reading.previous?.task.cpu?.total, reading.sample?.task.cpu?.total];

test('the first reading comes after half a second with a sample to compare, then one a second', async (t) => {
  const { clock, sampler } = startSampler();
  const readings = sampler.subscribe()[Symbol.asyncIterator]();
  await sampler.start();
  await clock.pass(500);
  t.deepEqual(totals((await readings.next()).value ?? undefined), [1, 2]);
  await clock.pass(1000);
  t.deepEqual(totals((await readings.next()).value ?? undefined), [2, 3]);
});

test('with a recent sample the first reading comes at once', async (t) => {
  const { sampler } = startSampler(sampleOf(0));
  const readings = sampler.subscribe()[Symbol.asyncIterator]();
  await sampler.start();
  t.deepEqual(totals((await readings.next()).value ?? undefined), [0, 1]);
});

test('any number of readers share one measurement, and a later reader starts with the newest reading', async (t) => {
  const { clock, sampler, state } = startSampler(sampleOf(0));
  const first = sampler.subscribe()[Symbol.asyncIterator]();
  await sampler.start();
  const second = sampler.subscribe()[Symbol.asyncIterator]();
  await clock.pass(1000);
  t.is(state.taken, 2);
  for (const reader of [first, second]) {
    t.deepEqual(totals((await reader.next()).value ?? undefined), [0, 1]);
    t.deepEqual(totals((await reader.next()).value ?? undefined), [1, 2]);
  }
});

test('nothing is measured without readers', async (t) => {
  const { clock, sampler, state } = startSampler();
  const queue = sampler.subscribe();
  await sampler.start();
  queue.cancel();
  await clock.pass(500);
  t.true(state.ended);
  t.is(state.taken, 1);
  t.is(clock.waiting, 0);
});

test('a slow reader skips readings and still reaches the end', async (t) => {
  const { clock, sampler, state } = startSampler(sampleOf(0));
  const queue = sampler.subscribe();
  await sampler.start();
  for (let second = 0; second < 10; second++) await clock.pass(1000);
  state.isRunning = false;
  await clock.pass(1000);
  const read: unknown[] = [];
  for await (const reading of queue) read.push(totals(reading));
  t.deepEqual(read.slice(0, 2), [
    [0, 1],
    [1, 2],
  ]);
  t.true(read.length < 10);
  t.true(state.ended);
});

test('a reading after a restart has no previous sample', async (t) => {
  const { clock, sampler, state } = startSampler(sampleOf(0));
  const readings = sampler.subscribe()[Symbol.asyncIterator]();
  await sampler.start();
  await readings.next();
  state.between = true;
  await clock.pass(1000);
  t.deepEqual(totals((await readings.next()).value ?? undefined), [undefined, undefined]);
  state.between = false;
  await clock.pass(1000);
  t.deepEqual(totals((await readings.next()).value ?? undefined), [undefined, 2]);
});

test('a failed measurement fails every reader', async (t) => {
  const { clock, sampler, state } = startSampler(undefined, async () => {
    throw new Error('no counters');
  });
  const readings = sampler.subscribe()[Symbol.asyncIterator]();
  await sampler.start();
  await t.throwsAsync(readings.next(), { message: 'no counters' });
  t.true(state.ended);
  t.is(clock.waiting, 0);
});
