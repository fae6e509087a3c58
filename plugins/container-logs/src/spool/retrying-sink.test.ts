import type { LogBatch, LogSink } from '@gantry/core/contracts';
import test from 'ava';
import { RetryingSink } from './retrying-sink.js';

const batch: LogBatch = { spool: new Uint8Array(), resume: 'r1', records: () => [] };

/** A sink whose server does not respond until it is closed. */
class HangingSink implements LogSink {
  readonly dropped = 0;
  closes = 0;
  #end: (error: Error) => void = () => undefined;

  write(): Promise<void> {
    return new Promise((_, reject) => {
      this.#end = reject;
    });
  }

  resumeAt = async () => undefined;

  async close(): Promise<void> {
    this.closes++;
    this.#end(new Error('closed'));
  }
}

test('an abort ends a hanging write without a report', async (t) => {
  const stop = new AbortController();
  const sink = new HangingSink();
  const reports: unknown[] = [];
  const retrying = new RetryingSink(
    async () => sink,
    stop.signal,
    (error) => reports.push(error),
  );
  const written = retrying.write(batch);
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  t.false(await written);
  await retrying.close();
  t.is(sink.closes, 1);
  t.deepEqual(reports, []);
});

test('a sink that opens after the abort is closed immediately', async (t) => {
  const stop = new AbortController();
  const sink = new HangingSink();
  const retrying = new RetryingSink(
    async () => {
      stop.abort();
      return sink;
    },
    stop.signal,
    () => undefined,
  );
  t.false(await retrying.write(batch));
  await retrying.close();
  t.is(sink.closes, 1);
});
