import type { RuntimeDriver } from '@gantry/core/contracts';
import { type Clock, SystemClock, silentLogger } from '@gantry/core/driver';
import test from 'ava';
import type { ContainerDrivers } from '../container-drivers.js';
import type { ContainerRecord } from '../record.js';
import { Attachments } from './attachments.js';

/** Time passes when the test says so. */
class ManualClock extends SystemClock implements Clock {
  readonly #timers = new Set<() => void>();

  override after(_milliseconds: number, callback: () => void): () => void {
    this.#timers.add(callback);
    return () => this.#timers.delete(callback);
  }

  /** All timers expire; then what waited for them runs. */
  async expire(): Promise<void> {
    for (const callback of [...this.#timers]) callback();
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const record = { id: 'one', config: { Tty: true }, state: { status: 'running' } } as unknown as ContainerRecord;

const runtimeWith = (chunks: readonly string[]): RuntimeDriver => {
  async function* output() {
    for (const chunk of chunks) yield { stream: 'stdout', bytes: Buffer.from(chunk) };
  }
  return { io: { attach: async () => ({ output: output() }) } } as unknown as RuntimeDriver;
};

test('a wait is held back while a slow client reads, and for one that does not read only for a while', async (t) => {
  const clock = new ManualClock();
  const attachments = new Attachments({} as ContainerDrivers, clock, silentLogger);
  const streams = attachments.of(record);
  const client = streams.join();
  await streams.connect(runtimeWith(['one', 'two', 'three']), 'one');
  await attachments.endRun('one');
  let isAnswered = false;
  const answer = attachments.sessionsEnded('one').then(() => {
    isAnswered = true;
  });
  const reader = client.output.batches(1);
  const read = async () => String((await reader.next()).value?.[0]?.data);
  for (const word of ['one', 'two']) {
    t.is(await read(), word);
    await clock.expire();
    t.false(isAnswered, `the client has read ${word}`);
  }
  await clock.expire();
  t.true(isAnswered, 'the client has read nothing');
  await answer;
  t.is(await read(), 'three', 'nothing is lost for it');
});

test('a wait is answered when the last client has read everything', async (t) => {
  const clock = new ManualClock();
  const attachments = new Attachments({} as ContainerDrivers, clock, silentLogger);
  const streams = attachments.of(record);
  const client = streams.join();
  await streams.connect(runtimeWith(['one']), 'one');
  await attachments.endRun('one');
  const answer = attachments.sessionsEnded('one');
  const seen: string[] = [];
  for await (const { data } of client.output) seen.push(String(data));
  client.leave();
  await answer;
  t.deepEqual(seen, ['one']);
});
