import test from 'ava';
import { DownBudget } from './down-budget.js';

const second = 1_000_000_000n;

/** How many nodes may be down at that time. */
function takenAt(budget: DownBudget, size: number, now: bigint): number {
  let taken = 0;
  while (taken <= size && budget.take(size, now)) taken += 1;
  return taken;
}

test('ten nodes of a small swarm may be down at once, and as many ten seconds later', (t) => {
  const budget = new DownBudget();
  t.is(takenAt(budget, 60, 5n * second), 10);
  t.is(takenAt(budget, 60, 6n * second), 1);
  t.is(takenAt(budget, 60, 16n * second), 10);
  t.is(takenAt(budget, 60, 500n * second), 10, 'no more are saved up');
});

test('a twentieth of a large swarm may be down at once', (t) => {
  t.is(takenAt(new DownBudget(), 1_000, 0n), 50);
});
