import test from 'ava';
import { barText, human } from './progress.js';

test('sizes have four digits and a unit of powers of a thousand', (t) => {
  t.deepEqual([0, 999, 1000, 32_768, 1_234_567, 104e6, 2.5e12].map(human), [
    '0B',
    '999B',
    '1kB',
    '32.77kB',
    '1.235MB',
    '104MB',
    '2.5TB',
  ]);
});

test('a bar is fifty wide, and leaves out a total that cannot be', (t) => {
  t.is(barText(0, 2000), `[>${' '.repeat(50)}]       0B/2kB`);
  t.is(barText(1000, 2000), `[${'='.repeat(25)}>${' '.repeat(25)}]      1kB/2kB`);
  t.is(barText(2000, 2000), `[${'='.repeat(50)}>]      2kB/2kB`);
  t.is(barText(3000, 2000), `[${'='.repeat(50)}>]      3kB`);
  t.is(barText(10, 0), '     10B');
});
