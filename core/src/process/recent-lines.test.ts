import test from 'ava';
import { RecentLines } from './recent-lines.js';

test('the last lines are kept in their order, and all are passed on', (t) => {
  const passed: string[] = [];
  const log = new RecentLines({ write: (line) => void passed.push(line) }, 3, 4);
  t.deepEqual(log.lines(), []);
  for (const line of ['a\n', 'b\n', 'c\n', 'd\n', 'longer\n']) log.write(line);
  t.deepEqual(log.lines(), ['c', 'd', 'long…']);
  t.deepEqual(passed, ['a\n', 'b\n', 'c\n', 'd\n', 'longer\n']);
});
