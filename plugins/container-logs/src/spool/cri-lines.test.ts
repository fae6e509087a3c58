import test from 'ava';
import { criRecords } from './cri-lines.js';

const read = (text: string) =>
  [...criRecords(Buffer.from(text))].map(({ stream, time, line, partial }) => ({
    stream,
    time,
    text: Buffer.from(line).toString(),
    partial,
  }));

test('a line has a time in any zone, a stream and a partial tag', (t) => {
  t.deepEqual(
    read(
      '2026-01-02T03:04:05.123456789+01:00 stdout F one two \n' +
        '2026-01-02T02:04:05.000000001Z stderr P part\n' +
        '2026-01-02T02:04:06Z stdout F \n',
    ),
    [
      { stream: 'stdout', time: 1_767_319_445_123_456_789n, text: 'one two ', partial: false },
      { stream: 'stderr', time: 1_767_319_445_000_000_001n, text: 'part', partial: true },
      { stream: 'stdout', time: 1_767_319_446_000_000_000n, text: '', partial: false },
    ],
  );
});

test('malformed lines are skipped', (t) => {
  t.deepEqual(read('nonsense\n2026-01-02T02:04:06Z stdin F x\nyesterday stdout F x\n'), []);
  t.deepEqual(read('2026-01-02T02:04:06Z stdout F without an end'), []);
});
