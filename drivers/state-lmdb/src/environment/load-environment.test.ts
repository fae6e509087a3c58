import { join } from 'node:path';
import { freshDirectory, removeDirectory } from '@gantry/conformance';
import test from 'ava';
import { loadEnvironment } from './load-environment.js';
import type { Write } from './messages.js';
import { openWriter } from './writer.js';

// The checker parses LMDB's files itself: this test fails when a release of LMDB changes their format.
for (const [largest, keys] of [
  [200, 800],
  [3000, 200],
  [60_000, 40],
] as const) {
  test(`no faults are found in files that LMDB writes, values up to ${largest} bytes`, async (t) => {
    const directory = await freshDirectory();
    t.teardown(() => removeDirectory(directory));
    const file = join(directory, 'state.mdb');
    let seed: number = largest;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return (seed >> 8) % below;
    };
    const expected = new Map<string, number>();
    let writer = openWriter({ file });
    for (let round = 0; round < 120; round++) {
      const writes = new Map<string, Write>();
      for (let count = 1 + random(30); count > 0; count--) {
        const key = `things\0${random(keys)}`;
        const size = random(3) === 0 ? undefined : 1 + random(largest);
        writes.set(key, { area: 'records', key, value: size === undefined ? undefined : Buffer.alloc(size, round) });
        if (size === undefined) expected.delete(key);
        else expected.set(key, size);
      }
      if (random(10) === 0) writes.set('', { area: 'quarantine', key: `q${random(5)}`, value: Buffer.alloc(100) });
      writer.commit([...writes.values()]);
      if (round % 40 === 39) {
        writer.close();
        writer = openWriter({ file });
      }
      const { entries, faults, freeListFault } = loadEnvironment(file);
      t.deepEqual(faults, []);
      t.is(freeListFault, undefined);
      const found = entries.filter(({ area }) => area === 'records').map(({ key, value }) => [key, value.length]);
      t.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
    }
    writer.close();
  });
}
