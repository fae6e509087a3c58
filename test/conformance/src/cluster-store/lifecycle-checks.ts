import { type ClusterStoreDriver, createRecord, type RecordKind } from '@gantry/core/contracts';
import { messageOf } from '@gantry/core/errors';
import { rejects, until } from '../expectations.js';
import type { Suite } from '../suite.js';
import { conflictOf, member, others, thing, things } from './things.js';

/** Creating, opening, recovering and destroying stores. */
export function lifecycleChecks(suite: Suite<ClusterStoreDriver>): void {
  suite.check('there is no store before one is created, nor after it is destroyed', async (t, { driver }) => {
    t.false(driver.exists());
    await rejects(t, driver.open(), 'not-found');
    await driver.destroy();
    const store = await driver.create(member);
    t.true(driver.exists());
    t.is(await driver.open(), store);
    await rejects(t, driver.create(member), 'conflict');
    await store.transact([createRecord(things, 'a', thing('one'))]);
    await driver.destroy();
    t.true(store.closed.aborted);
    t.false(driver.exists());
    await rejects(t, driver.open(), 'not-found');
    await rejects(t, store.transact([createRecord(things, 'b', thing('two'))]), 'unavailable');
    const another = await driver.create(member);
    t.not(another.id, store.id);
    t.deepEqual(another.list(things), []);
  });

  suite.check('two stores share nothing', async (t, { driver }, open) => {
    const other = await open();
    const [one, two] = await Promise.all([driver.create(member), other.driver.create(member)]);
    await one.transact([createRecord(things, 'a', thing('one'))]);
    t.is(two.get(things, 'a'), undefined);
    t.not(one.id, two.id);
  });

  suite.check('a store that is opened again has every record, in the order of creation', async (t, opened) => {
    const store = await opened.driver.create(member);
    const revision = await store.transact([createRecord(things, 'z', thing('one', 'red'))]);
    await store.transact([createRecord(things, 'a', thing('two'))]);
    const before = store.list(things);
    const again = await opened.reopen();
    t.true(store.closed.aborted);
    t.true(again.driver.exists());
    const second = await again.driver.open();
    t.is(second.id, store.id);
    t.deepEqual(second.list(things), before);
    t.is(second.byName(things, 'one')?.id, 'z');
    t.is(second.select(things, 'colour', 'red').length, 1);
    t.true(second.revision >= revision);
    await conflictOf(t, second.transact([createRecord(things, 'b', thing('one'))]), 'name');
  });

  suite.check('a transaction that had resolved survives a crash of the daemon', async (t, opened) => {
    const store = await opened.driver.create(member);
    await store.transact([createRecord(things, 'a', thing('one'))]);
    const crashed = await opened.reopen({ crash: true });
    const second = await crashed.driver.open();
    t.deepEqual(second.get(things, 'a')?.value, thing('one'));
    await second.transact([createRecord(things, 'b', thing('two'))]);
  });

  suite.check('a record that cannot be read is quarantined, and the others are not', async (t, opened) => {
    const store = await opened.driver.create(member);
    await store.transact([createRecord(others, 'a', { count: 1 }), createRecord(others, 'b', { count: 2 })]);
    const second = await (await opened.reopen()).driver.open();
    const strict: typeof others = {
      ...others,
      parse(value) {
        if ((value as { count: number }).count === 1) throw new Error('one is not allowed');
        return value as { count: number };
      },
    };
    t.deepEqual(
      second.list(strict).map(({ id }) => id),
      ['b'],
    );
    t.deepEqual(second.quarantined(), [{ kind: 'other', id: 'a', reason: 'one is not allowed' }]);
    await conflictOf(t, second.transact([createRecord(strict, 'a', { count: 3 })]), 'exists');
  });

  suite.check('a record that no index can take is quarantined, and later ones are seen', async (t, { driver }) => {
    const store = await driver.create(member);
    const count = {
      keysOf({ count }: { readonly count: number }) {
        if (count === 1) throw new Error('one has no key');
        return [String(count)];
      },
    };
    const indexed: typeof others = { ...others, indexes: { count } };
    t.deepEqual(store.list(indexed), []);
    const refused = await store.transact([createRecord(indexed, 'a', { count: 1 })]).catch(messageOf);
    t.is(refused, 'one has no key');
    // By a member that does not know the index.
    await store.transact([createRecord(others, 'a', { count: 1 })]);
    await store.transact([createRecord(others, 'b', { count: 2 })]);
    t.deepEqual(
      store.select(indexed, 'count', '2').map(({ id }) => id),
      ['b'],
    );
    t.deepEqual(
      store.list(indexed).map(({ id }) => id),
      ['b'],
    );
    t.deepEqual(store.quarantined(), [{ kind: 'other', id: 'a', reason: 'one has no key' }]);
  });

  suite.check('records of an older version are migrated', async (t, opened) => {
    const store = await opened.driver.create(member);
    await store.transact([createRecord(others, 'a', { count: 1 })]);
    const second = await (await opened.reopen()).driver.open();
    const migrated: RecordKind<{ readonly total: number }> = {
      name: 'other',
      version: 2,
      migrations: { 1: (old) => ({ total: (old as { count: number }).count }) },
      parse: (value) => value as { readonly total: number },
    };
    t.deepEqual(second.get(migrated, 'a')?.value, { total: 1 });
  });

  suite.check('the only member leads, and transactions of another epoch are rejected', async (t, opened) => {
    const store = await opened.driver.create(member);
    await until('the only member leads', () => store.leadership.current.role === 'leader');
    const { current } = store.leadership;
    if (current.role !== 'leader') throw new Error('not the leader');
    await store.transact([createRecord(things, 'a', thing('one'))], { epoch: current.epoch });
    const late = store.transact([createRecord(things, 'b', thing('two'))], { epoch: current.epoch + 1 });
    await conflictOf(t, late, 'leadership');
    const second = await (await opened.reopen()).driver.open();
    await until('it leads again', () => second.leadership.current.role === 'leader');
    const { current: next } = second.leadership;
    if (next.role !== 'leader') throw new Error('not the leader');
    t.true(next.epoch > current.epoch, 'a later leader has a greater epoch');
    await conflictOf(
      t,
      second.transact([createRecord(things, 'b', thing('two'))], { epoch: current.epoch }),
      'leadership',
    );
    t.is(second.get(things, 'b'), undefined);
  });

  suite.check('the only member is a voter that cannot be removed', async (t, { driver }) => {
    const store = await driver.create(member);
    const [self, ...rest] = await store.members.list();
    t.deepEqual(rest, []);
    t.is(self?.id, store.memberId);
    t.is(self?.name, 'm1');
    t.is(self?.role, 'voter');
    await rejects(t, store.members.remove(store.memberId), 'conflict');
    await rejects(t, store.members.promote(store.memberId), 'conflict');
    await rejects(t, store.members.remove('abcdef'), 'not-found');
  });

  suite.check('recovery keeps every record', async (t, { driver }) => {
    const store = await driver.create(member);
    await store.transact([createRecord(things, 'a', thing('one'))]);
    const recovered = await driver.recover();
    t.true(store.closed.aborted);
    t.deepEqual(recovered.get(things, 'a')?.value, thing('one'));
    await recovered.transact([createRecord(things, 'b', thing('two'))]);
    t.is((await recovered.members.list()).length, 1);
  });

  suite.check('a snapshot is not empty, and synchronizing resolves', async (t, { driver }) => {
    const store = await driver.create(member);
    await store.transact([createRecord(things, 'a', thing('one'))]);
    await store.synchronize();
    let size = 0;
    for await (const chunk of await store.snapshot()) size += (chunk as Buffer | string).length;
    t.true(size > 0);
  });
}
