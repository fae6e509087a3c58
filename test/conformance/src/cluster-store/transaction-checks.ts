import {
  type ClusterStoreDriver,
  createRecord,
  deleteRecord,
  expectRecord,
  type RecordKind,
  TransactionConflict,
  updateRecord,
} from '@gantry/core/contracts';
import { atOnce, rejects, throws } from '../expectations.js';
import type { Suite } from '../suite.js';
import { conflictOf, member, others, thing, things } from './things.js';

/** Records and the transactions that change them. */
export function transactionChecks(suite: Suite<ClusterStoreDriver>): void {
  suite.check('a record is read as it was written, with its revision and times', async (t, { driver }) => {
    const store = await driver.create(member);
    t.is(store.get(things, 'a'), undefined);
    const value = { name: 'é\u2028\u0000"', colours: ['red'] };
    const revision = await store.transact([createRecord(things, 'a', value)]);
    const record = store.get(things, 'a');
    t.deepEqual(record?.value, value);
    t.is(record?.id, 'a');
    t.is(record?.revision, revision);
    t.true(store.revision >= revision);
    t.regex(record?.createdAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    t.is(record?.updatedAt, record?.createdAt);
  });

  suite.check(
    'an update keeps the time of creation and raises the revision; a deletion ends the record',
    async (t, { driver }) => {
      const store = await driver.create(member);
      await store.transact([createRecord(things, 'a', thing('one'))]);
      const created = store.get(things, 'a');
      if (created === undefined) throw new Error('the record is missing');
      const revision = await store.transact([updateRecord(things, created, thing('two'))]);
      const updated = store.get(things, 'a');
      t.is(updated?.revision, revision);
      t.true(revision > created.revision);
      t.is(updated?.createdAt, created.createdAt);
      t.deepEqual(updated?.value, thing('two'));
      t.deepEqual(created.value, thing('one'), 'a record that was read does not change');
      await store.transact([deleteRecord(things, { id: 'a', revision })]);
      t.is(store.get(things, 'a'), undefined);
      t.deepEqual(store.list(things), []);
    },
  );

  suite.check('changes with another revision, and creations of what exists, are rejected', async (t, { driver }) => {
    const store = await driver.create(member);
    const first = await store.transact([createRecord(things, 'a', thing('one'))]);
    await conflictOf(t, store.transact([createRecord(things, 'a', thing('two'))]), 'exists');
    const second = await store.transact([updateRecord(things, { id: 'a', revision: first }, thing('two'))]);
    const old = { id: 'a', revision: first };
    await conflictOf(t, store.transact([updateRecord(things, old, thing('three'))]), 'revision');
    await conflictOf(t, store.transact([deleteRecord(things, old)]), 'revision');
    await conflictOf(t, store.transact([expectRecord(things, old)]), 'revision');
    await conflictOf(t, store.transact([updateRecord(things, { id: 'b', revision: second }, thing('b'))]), 'revision');
    t.deepEqual(store.get(things, 'a')?.value, thing('two'));
  });

  suite.check('a transaction happens whole or not at all, at one revision', async (t, { driver }) => {
    const store = await driver.create(member);
    const first = await store.transact([
      createRecord(things, 'a', thing('one')),
      createRecord(others, 'a', { count: 1 }),
      createRecord(others, 'b', { count: 2 }),
    ]);
    t.is(store.get(things, 'a')?.revision, first);
    t.is(store.get(others, 'b')?.revision, first);
    const stale = { id: 'a', revision: first - 1 };
    await conflictOf(
      t,
      store.transact([
        deleteRecord(others, { id: 'b', revision: first }),
        createRecord(others, 'c', { count: 3 }),
        expectRecord(things, stale),
      ]),
      'revision',
    );
    t.deepEqual(
      store.list(others).map(({ id }) => id),
      ['a', 'b'],
    );
    const second = await store.transact([
      expectRecord(things, { id: 'a', revision: first }),
      createRecord(others, 'c', { count: 3 }),
    ]);
    t.true(second > first);
    t.is(store.get(things, 'a')?.revision, first, 'an expected record keeps its revision');
  });

  suite.check('of transactions that update one record at once, one happens', async (t, { driver }) => {
    const store = await driver.create(member);
    const revision = await store.transact([createRecord(others, 'a', { count: 0 })]);
    const outcomes = await atOnce(10, (count) =>
      store.transact([updateRecord(others, { id: 'a', revision }, { count })]).then(
        () => 'applied',
        (error: unknown) => (TransactionConflict.is(error) ? error.reason : String(error)),
      ),
    );
    t.is(outcomes.filter((outcome) => outcome === 'applied').length, 1);
    t.is(outcomes.filter((outcome) => outcome === 'revision').length, 9);
  });

  suite.check(
    'a unique name belongs to one record, and is free again when the record gives it up',
    async (t, { driver }) => {
      const store = await driver.create(member);
      const first = await store.transact([createRecord(things, 'a', thing('one'))]);
      await conflictOf(t, store.transact([createRecord(things, 'b', thing('one'))]), 'name');
      t.is(store.byName(things, 'one')?.id, 'a');
      const second = await store.transact([updateRecord(things, { id: 'a', revision: first }, thing('two'))]);
      t.is(store.byName(things, 'one'), undefined);
      const third = await store.transact([createRecord(things, 'b', thing('one'))]);
      await conflictOf(t, store.transact([updateRecord(things, { id: 'b', revision: third }, thing('two'))]), 'name');
      await store.transact([deleteRecord(things, { id: 'a', revision: second })]);
      const fourth = await store.transact([updateRecord(things, { id: 'b', revision: third }, thing('two'))]);
      t.is(store.byName(things, 'two')?.id, 'b');
      await store.transact([
        deleteRecord(things, { id: 'b', revision: fourth }),
        createRecord(things, 'c', thing('two')),
      ]);
      t.is(store.byName(things, 'two')?.id, 'c', 'a name can move within one transaction');
      const both = [createRecord(things, 'd', thing('same')), createRecord(things, 'e', thing('same'))];
      await conflictOf(t, store.transact(both), 'name');
    },
  );

  suite.check('of records created at once with one unique name, one is', async (t, { driver }) => {
    const store = await driver.create(member);
    const outcomes = await atOnce(10, (index) =>
      store.transact([createRecord(things, `t${index}`, thing('same'))]).then(
        () => 'applied',
        (error: unknown) => (TransactionConflict.is(error) ? error.reason : String(error)),
      ),
    );
    t.is(outcomes.filter((outcome) => outcome === 'applied').length, 1);
    t.is(outcomes.filter((outcome) => outcome === 'name').length, 9);
    t.is(store.list(things).length, 1);
  });

  suite.check('an index finds the records of a key, and no others', async (t, { driver }) => {
    const store = await driver.create(member);
    const revision = await store.transact([
      createRecord(things, 'a', thing('one', 'red', 'blue')),
      createRecord(things, 'b', thing('two', 'red')),
    ]);
    const found = (key: string): string[] => store.select(things, 'colour', key).map(({ id }) => id);
    t.deepEqual(found('red').sort(), ['a', 'b']);
    t.deepEqual(found('blue'), ['a']);
    await store.transact([updateRecord(things, { id: 'a', revision }, thing('one', 'green'))]);
    t.deepEqual(found('red'), ['b']);
    t.deepEqual(found('blue'), []);
    t.deepEqual(found('green'), ['a']);
    await store.transact([deleteRecord(things, { id: 'b', revision })]);
    t.deepEqual(found('red'), []);
  });

  suite.check('what cannot be a transaction is rejected, and changes nothing', async (t, { driver }) => {
    const store = await driver.create(member);
    const twice = [createRecord(things, 'a', thing('one')), createRecord(things, 'a', thing('two'))];
    await rejects(t, store.transact(twice), 'invalid-argument', /two changes of thing\/a/);
    for (const id of ['', 'a/b', 'a\0']) {
      await rejects(t, store.transact([createRecord(things, id, thing('one'))]), 'invalid-argument');
    }
    const bad = store.transact([createRecord(things as RecordKind<unknown>, 'a', { colours: [] })]);
    t.is(await bad.then(String, () => 'rejected'), 'rejected', 'the kind refuses the value');
    const many = Array.from({ length: driver.capabilities.maxChanges + 1 }, (_, count) =>
      createRecord(others, `o${count}`, { count }),
    );
    await rejects(t, store.transact(many), 'invalid-argument');
    throws(t, () => store.list({ ...things, version: 2 }), 'conflict');
    t.deepEqual(store.list(things), []);
  });

  suite.check('the largest transaction is possible', async (t, { driver }) => {
    const store = await driver.create(member);
    const { maxChanges } = driver.capabilities;
    await store.transact(
      Array.from({ length: maxChanges }, (_, index) => createRecord(things, `t${index}`, thing(`name-${index}`))),
    );
    t.is(store.list(things).length, maxChanges);
  });

  suite.check('records of a megabyte are possible', async (t, { driver }) => {
    const store = await driver.create(member);
    const name = 'x'.repeat(1_000_000);
    await store.transact([createRecord(others as RecordKind<unknown>, 'a', { name })]);
    t.deepEqual(store.get(others as RecordKind<unknown>, 'a')?.value, { name });
  });
}
