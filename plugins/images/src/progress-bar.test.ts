import test from 'ava';
import { progressItem } from './progress-bar.js';

test('progress has bytes and a bar', (t) => {
  t.deepEqual(progressItem('Loading layer', 'abc', 32_768, 2_140_160), {
    status: 'Loading layer',
    progressDetail: { current: 32_768, total: 2_140_160 },
    progress: `[>${' '.repeat(49)}]  32.77kB/2.14MB`,
    id: 'abc',
  });
  t.is(progressItem('x', 'y', 5, 10).progress, `[${'='.repeat(25)}>${' '.repeat(24)}]       5B/10B`);
  t.is(progressItem('x', 'y', 10, 10).progress, `[${'='.repeat(50)}]      10B/10B`);
  t.is(progressItem('x', 'y', 0, 0).progress, `[>${' '.repeat(49)}]       0B/0B`);
});
