import test from 'ava';
import { UsedAddresses } from './used-addresses.js';

test('a set of runs holds what a plain set holds', (t) => {
  const runs = new UsedAddresses();
  const plain = new Set<bigint>();
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let step = 0; step < 5000; step++) {
    const value = BigInt(random(64));
    if (random(2) === 0) {
      t.is(runs.add(value), !plain.has(value));
      plain.add(value);
    } else {
      runs.delete(value);
      plain.delete(value);
    }
    let free = value;
    while (plain.has(free)) free++;
    t.is(runs.nextFree(value), free);
    t.is(runs.has(value), plain.has(value));
  }
});

test('65,000 consecutive addresses are found, allocated and released quickly', (t) => {
  const runs = new UsedAddresses();
  const start = performance.now();
  for (let next = 0n; next < 65_000n; next = runs.nextFree(0n)) runs.add(next);
  for (let value = 0n; value < 65_000n; value += 2n) runs.delete(value);
  t.is(runs.nextFree(1n), 2n);
  t.true(performance.now() - start < 5000);
});
