import { openDriver } from '@gantry/conformance';
import lmdb from '../index.js';

// Holds the store of a directory and writes until it is killed.
const { driver } = await openDriver(lmdb, { root: process.argv[2] as string });
const collection = driver.collection({ name: 'things', version: 1, parse: (value) => value as { count: number } });

for (let count = 0; ; count++) {
  await driver.transaction((transaction) => {
    transaction.put(collection, `k${count}`, { count });
    transaction.put(collection, 'newest', { count });
  });
  process.send?.(count);
}
