import test from 'ava';
import { progressItem } from './progress-item.js';

const text = (current: number, total: number) => progressItem('Loading', 'abc', current, total).progress;

test('progress has bytes, and a text for people', (t) => {
  t.deepEqual(progressItem('Loading layer', 'abc', 32_768, 2_140_160), {
    status: 'Loading layer',
    progressDetail: { current: 32_768, total: 2_140_160 },
    progress: `[>${' '.repeat(50)}]  32.77kB/2.14MB`,
    id: 'abc',
  });
});

test('sizes have four digits and a unit of powers of a thousand', (t) => {
  const sizes = [0, 999, 1000, 32_768, 1_234_567, 104e6, 2.5e12].map((bytes) => text(bytes, 0).trim());
  t.deepEqual(sizes, ['0B', '999B', '1kB', '32.77kB', '1.235MB', '104MB', '2.5TB']);
});

test('a bar is fifty wide, and leaves out a total that cannot be', (t) => {
  t.is(text(0, 2000), `[>${' '.repeat(50)}]       0B/2kB`);
  t.is(text(1000, 2000), `[${'='.repeat(25)}>${' '.repeat(25)}]      1kB/2kB`);
  t.is(text(2000, 2000), `[${'='.repeat(50)}>]      2kB/2kB`);
  t.is(text(3000, 2000), `[${'='.repeat(50)}>]      3kB`);
  t.is(text(10, 0), '     10B');
});
