import test from 'ava';
import { Heap } from './heap.js';

test('items leave in their order, also when the first has come to be later', (t) => {
  const items = [5, 3, 8, 1, 9, 2].map((value) => ({ value }));
  const heap = new Heap(items, (one, other) => one.value - other.value);
  const [first] = items.filter(({ value }) => value === 1);
  if (first === undefined) return t.fail();
  t.is(heap.first, first);
  first.value = 6;
  heap.demoteFirst();
  const left: number[] = [];
  for (let next = heap.first; next !== undefined; next = heap.first) {
    left.push(next.value);
    heap.removeFirst();
  }
  t.deepEqual(left, [2, 3, 5, 6, 8, 9]);
});
