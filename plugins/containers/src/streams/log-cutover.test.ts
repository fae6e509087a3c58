import test from 'ava';
import type { LiveChunk } from './container-streams.js';
import { LogCutover } from './log-cutover.js';

const millisecond = 1_000_000n;
const second = 1000n * millisecond;

/** After a replay of records written one millisecond apart, the first at one second. */
function cutoverAfter(...past: string[]): LogCutover {
  const cutover = new LogCutover({ from: second, until: second + 100n * millisecond });
  past.forEach((text, index) => {
    const partial = !text.endsWith('\n');
    const line = Buffer.from(partial ? text : text.slice(0, -1));
    cutover.replayed({ stream: 'stdout', time: second + BigInt(index) * millisecond, line, partial });
  });
  return cutover;
}

const chunk = (text: string, at = 1100): LiveChunk => ({ stream: 'stdout', data: Buffer.from(text), at });

const freshOf = (cutover: LogCutover, ...batches: LiveChunk[][]): string =>
  batches.flatMap((batch) => cutover.withoutReplayed(batch).map(({ data }) => Buffer.from(data).toString())).join('');

test('live output that was replayed is left out', (t) => {
  t.is(freshOf(cutoverAfter('one\n', 'two\n', 'three\n'), [chunk('two\nthree\n'), chunk('four\n')]), 'four\n');
  t.is(freshOf(cutoverAfter('one\n', 'two\n'), [chunk('three\n')]), 'three\n');
  t.is(freshOf(cutoverAfter(), [chunk('one\n')]), 'one\n');
});

test('it is left out completely, in whatever chunks it arrives', (t) => {
  const past = () => cutoverAfter('one\n', 'two', ' and\n', 'three\n');
  t.is(freshOf(past(), [chunk('two')], [chunk(' and\nthr')], [chunk('ee\nfour\n')], [chunk('two\n')]), 'four\ntwo\n');
});

test('of repetitive output rather too much is sent than too little', (t) => {
  const past = () => cutoverAfter('x\n', 'x\n', 'x\n', 'x\n');
  t.is(freshOf(past(), [chunk('x\n', 1002), chunk('x\n', 1003), chunk('x\n', 1004)]), 'x\nx\n');
  t.is(freshOf(past(), [chunk('x\n', 9000)]), 'x\n', 'it came long after');
});

test('where the attach was slow, live output may be late as well', (t) => {
  const late = (took: number): string => {
    const cutover = cutoverAfter('one\n', 'two\n');
    cutover.attachTook(took);
    return freshOf(cutover, [chunk('two\n', 1500)], [chunk('three\n', 1500)]);
  };
  t.is(late(10), 'two\nthree\n');
  t.is(late(100), 'three\n');
});

test('a few bytes that are equal by coincidence are no overlap', (t) => {
  const next = `\n${'next\n'.repeat(20)}`;
  t.is(freshOf(cutoverAfter('one', '\n'), [chunk(next)]), next);
});

test('what was written before the attach does not come as live output', (t) => {
  const cutover = new LogCutover({ from: second, until: second });
  cutover.replayed({ stream: 'stdout', time: second - 1n, line: Buffer.from('same'), partial: false });
  t.is(freshOf(cutover, [chunk('same\n', 1000)]), 'same\n');
});

test('both streams are compared', (t) => {
  const cutover = cutoverAfter('out 1\n', 'out 2\n');
  cutover.replayed({ stream: 'stderr', time: second + 3n * millisecond, line: Buffer.from('err 1'), partial: false });
  const error = (text: string): LiveChunk => ({ ...chunk(text), stream: 'stderr' });
  t.is(freshOf(cutover, [chunk('out 2\n'), error('err 1\nerr 2\n'), chunk('out 3\n')]), 'err 2\nout 3\n');
});

test('live output may start within a line, if enough of it is equal', (t) => {
  const lines = Array.from({ length: 40 }, (_, index) => `l${index}\n`);
  const again = lines.slice(12).join('').slice(1);
  t.is(freshOf(cutoverAfter(...lines), [chunk(again), chunk('l40\n')]), 'l40\n');
  t.is(freshOf(cutoverAfter(...lines), [chunk(again.slice(0, 70))], [chunk(`${again.slice(70)}l40\n`)]), 'l40\n');
  t.is(freshOf(cutoverAfter('hello\n'), [chunk('\n')], [chunk('on\n')]), '\non\n', 'an empty line is the end of any');
  t.is(freshOf(cutoverAfter(...lines), [chunk('9\n')]), '9\n');
});
