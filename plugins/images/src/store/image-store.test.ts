import { openDriver } from '@gantry/conformance';
import type { StateDriver, Transaction } from '@gantry/core/contracts';
import { state } from '@gantry/memory-drivers';
import test from 'ava';
import { setOf } from '../testing/harness.js';
import { ImageStore } from './image-store.js';

test('a name that an image has already is not written again', async (t) => {
  const { driver, release } = await openDriver(state);
  t.teardown(release);
  let transactions = 0;
  const counting: Pick<StateDriver, 'collection' | 'transaction'> = {
    collection: (definition) => driver.collection(definition),
    transaction<R>(work: (transaction: Transaction) => R): Promise<R> {
      transactions++;
      return driver.transaction(work);
    },
  };
  const store = new ImageStore(setOf<StateDriver>(counting));
  const [one, other] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`];
  await store.add({ references: { 'web:1': one } });
  t.is(transactions, 1);
  await store.add({ references: { 'web:1': one } });
  t.is(transactions, 1);
  await store.add({ references: { 'web:1': one, 'web:2': one } });
  t.is(transactions, 2);
  await store.add({ references: { 'web:1': other } });
  t.is(transactions, 3);
  t.is(store.byReference('web:1'), other);
  t.is(store.byReference('web:2'), one);
});
