import test from 'ava';
import { whiteoutOf } from './whiteout-name.js';

test('whiteouts are recognised by their names', (t) => {
  t.deepEqual(whiteoutOf('a/b'), { type: 'none' });
  t.deepEqual(whiteoutOf('a/x.wh.b'), { type: 'none' });
  t.deepEqual(whiteoutOf('a/.wh.b'), { type: 'deletes', name: 'b' });
  t.deepEqual(whiteoutOf('.wh..hidden'), { type: 'deletes', name: '.hidden' });
  t.deepEqual(whiteoutOf('a/.wh..wh..opq'), { type: 'opaque' });
  t.deepEqual(whiteoutOf('.wh..wh.plnk/1.2'), { type: 'ignored' });
  t.deepEqual(whiteoutOf('.wh..wh.aufs'), { type: 'ignored' });
});

test('a whiteout that would delete its own directory or the one above is refused', (t) => {
  for (const name of ['.wh.', 'a/.wh..', 'a/.wh...', '.wh.a/b']) {
    t.throws(() => whiteoutOf(name), { message: /whiteout/ }, name);
  }
});
