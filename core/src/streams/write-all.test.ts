import { PassThrough, Writable } from 'node:stream';
import test from 'ava';
import { writeAll } from './write-all.js';

test('a source may reuse the buffer of a piece once the one after the next is requested', async (t) => {
  const [one, other] = [Buffer.alloc(1000), Buffer.alloc(1000)];
  async function* pieces() {
    for (let index = 1; index <= 50; index++) yield (index % 2 === 0 ? one : other).fill(index);
  }
  const seen: number[] = [];
  const slow = new Writable({
    write: (bytes: Buffer, _encoding, done) => {
      setImmediate(() => {
        seen.push(...new Set(bytes));
        done();
      });
    },
  });
  await writeAll(pieces(), slow, new AbortController().signal);
  await new Promise<void>((resolve) => slow.end(resolve));
  t.deepEqual(
    seen,
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

for (const how of ['closes', 'aborts'] as const) {
  test(`writing ends when the reader ${how}, and the source is closed`, async (t) => {
    let isFreed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(100_000);
      } finally {
        isFreed = true;
      }
    }
    const sink = new PassThrough();
    sink.on('error', () => undefined);
    const stop = new AbortController();
    const writing = writeAll(endless(), sink, stop.signal);
    if (how === 'closes') sink.destroy();
    else stop.abort();
    await writing;
    t.true(isFreed);
  });
}
