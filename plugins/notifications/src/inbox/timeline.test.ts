import test from 'ava';
import { Timeline } from './timeline.js';

const item = (updatedAt: number, arrival: number) => ({ updatedAt, arrival });

const all = <T extends { updatedAt: number; arrival: number }>(timeline: Timeline<T>): readonly string[] =>
  timeline.until(Number.POSITIVE_INFINITY).map(({ updatedAt, arrival }) => `${updatedAt}/${arrival}`);

test('items are in the order of their times, in whatever order they are added', (t) => {
  const timeline = new Timeline<ReturnType<typeof item>>();
  for (const [updatedAt, arrival] of [
    [5, 1],
    [7, 2],
    [5, 3],
    [1, 4],
    [9, 5],
  ] as const)
    timeline.add(item(updatedAt, arrival));
  t.deepEqual(all(timeline), ['1/4', '5/1', '5/3', '7/2', '9/5']);
  t.deepEqual([timeline.firstFrom(5), timeline.firstAfter(5), timeline.firstAfter(99)], [1, 3, 5]);
});

test('many items are removed at once, from anywhere, and no others', (t) => {
  const items = Array.from({ length: 500 }, (_, index) => item(Math.floor(index / 3), index));
  for (const wanted of [
    (index: number) => index < 100,
    (index: number) => index >= 400,
    (index: number) => index % 7 === 3,
    (index: number) => index > 50 && index < 80,
    () => true,
    () => false,
  ]) {
    const timeline = new Timeline<ReturnType<typeof item>>();
    timeline.fill(items);
    const gone = items.filter((_, index) => wanted(index));
    const unknown = item(20, 1.5);
    timeline.removeAll([...gone, unknown].sort((a, b) => a.updatedAt - b.updatedAt || a.arrival - b.arrival));
    t.deepEqual(
      all(timeline),
      items.filter((_, index) => !wanted(index)).map((each) => `${each.updatedAt}/${each.arrival}`),
    );
  }
});
