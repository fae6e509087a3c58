import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Collection, CollectionDefinition, StateDriver, Transaction } from '@gantry/core/contracts';
import { freshDirectory, removeDirectory } from './directories.js';
import { atOnce, rejects, throws } from './expectations.js';
import { defineSuite } from './suite.js';

interface Thing {
  readonly name: string;
  readonly count: number;
  readonly note?: string;
}

const things: CollectionDefinition<Thing> = {
  name: 'things',
  version: 1,
  parse(value) {
    const thing = value as Thing;
    if (typeof thing.name !== 'string') throw new Error('name is missing');
    return thing;
  },
};

const thing = (name: string, count = 0): Thing => ({ name, count });
const keys = (collection: Collection<unknown>): string[] => [...collection.entries()].map(([key]) => key);

export const stateDriverSuite = defineSuite<StateDriver>('state', (suite) => {
  suite.check('two stores share nothing', async (t, { driver }, open) => {
    const other = await open();
    await driver.collection(things).put('a', thing('a'));
    t.is(other.driver.collection(things).get('a'), undefined);
  });

  suite.check('a record is read back as it was put, and not after its deletion', async (t, { driver }) => {
    const collection = driver.collection(things);
    t.is(collection.get('a'), undefined);
    t.false(collection.has('a'));
    await collection.put('a', { name: 'é\u2028\u0000"', count: 1.5 });
    t.deepEqual(collection.get('a'), { name: 'é\u2028\u0000"', count: 1.5 });
    t.true(collection.has('a'));
    t.is(collection.size, 1);
    await collection.put('a', thing('b', 2));
    t.deepEqual(collection.get('a'), thing('b', 2));
    t.is(collection.size, 1);
    await collection.delete('a');
    t.is(collection.get('a'), undefined);
    t.is(collection.size, 0);
  });

  suite.check('deleting an absent record resolves', async (t, { driver }) => {
    await driver.collection(things).delete('a');
    await driver.transaction((transaction) => transaction.delete(driver.collection(things), 'a'));
    t.is(driver.collection(things).size, 0);
  });

  suite.check('what the caller does to its object afterwards changes nothing', async (t, { driver }) => {
    const collection = driver.collection(things);
    const mine = { name: 'a', count: 1 };
    const put = collection.put('a', mine);
    mine.count = 2;
    await put;
    mine.count = 3;
    t.deepEqual(collection.get('a'), thing('a', 1));
  });

  suite.check('undefined fields are dropped', async (t, { driver }) => {
    const collection = driver.collection<{ name: string; note?: string | undefined }>({ ...things });
    await collection.put('a', { name: 'a', note: undefined });
    t.deepEqual(Object.keys(collection.get('a') ?? {}), ['name']);
  });

  suite.check('a value that is no JSON, or that its own parser refuses, is rejected', async (t, { driver }) => {
    const collection = driver.collection<unknown>(things);
    const cycle: Record<string, unknown> = { name: 'a' };
    cycle.self = cycle;
    for (const bad of [cycle, undefined, () => undefined, { count: 1 }]) {
      t.is(await collection.put('a', bad).catch(() => 'rejected'), 'rejected');
    }
    t.is(collection.size, 0);
  });

  suite.check('entries come in the order of their keys as bytes', async (t, { driver }) => {
    const collection = driver.collection(things);
    const inOrder = ['A', 'a', 'aa', 'b', 'é', '￮', '\u{10000}'];
    await Promise.all([...inOrder].reverse().map((key) => collection.put(key, thing(key))));
    t.deepEqual(keys(collection), inOrder);
    t.deepEqual(
      [...collection.entries()].map(([, { name }]) => name),
      inOrder,
    );
    await collection.delete('aa');
    t.deepEqual(keys(collection), ['A', 'a', 'b', 'é', '￮', '\u{10000}']);
  });

  suite.check('records may come and go while entries are read', async (t, { driver }) => {
    const collection = driver.collection(things);
    await driver.transaction((transaction) => {
      for (const key of ['a', 'b', 'c']) transaction.put(collection, key, thing(key));
    });
    const seen: string[] = [];
    for (const [key] of collection.entries()) {
      seen.push(key);
      await collection.delete('b');
      await collection.put(`${key}x`, thing('x'));
    }
    t.deepEqual(
      seen.filter((key) => !key.includes('x')),
      ['a', 'c'],
    );
  });

  suite.check('keys of collections are apart', async (t, { driver }) => {
    const one = driver.collection({ ...things, name: 'one' });
    const more = driver.collection({ ...things, name: 'one-more' });
    await one.put('a', thing('one'));
    await more.put('a', thing('more'));
    await one.delete('a');
    t.deepEqual(more.get('a'), thing('more'));
    t.deepEqual(keys(one), []);
  });

  suite.check('opening a collection twice gives the same one', async (t, { driver }) => {
    const first = driver.collection(things);
    await first.put('a', thing('a'));
    t.is(driver.collection(things), first);
  });

  suite.check('opening a collection with another version is a conflict', async (t, { driver }) => {
    driver.collection(things);
    throws(t, () => driver.collection({ ...things, version: 2 }), 'conflict', /things/);
  });

  suite.check('a transaction changes several collections at once', async (t, { driver }) => {
    const one = driver.collection({ ...things, name: 'one' });
    const two = driver.collection({ ...things, name: 'two' });
    await two.put('old', thing('old'));
    const result = await driver.transaction((transaction) => {
      transaction.put(one, 'a', thing('a'));
      transaction.delete(two, 'old');
      transaction.put(two, 'new', thing('new'));
      return 'done';
    });
    t.is(result, 'done');
    t.deepEqual([keys(one), keys(two)], [['a'], ['new']]);
  });

  suite.check('a transaction sees its own changes, which others see when it resolves', async (t, { driver }) => {
    const collection = driver.collection(things);
    await collection.put('a', thing('a', 1));
    const transaction = driver.transaction((transaction) => {
      t.deepEqual(transaction.get(collection, 'a'), thing('a', 1));
      transaction.put(collection, 'a', thing('a', 2));
      t.deepEqual(transaction.get(collection, 'a'), thing('a', 2));
      transaction.delete(collection, 'a');
      t.is(transaction.get(collection, 'a'), undefined);
      transaction.put(collection, 'b', thing('b'));
      t.deepEqual(collection.get('a'), thing('a', 1));
    });
    t.deepEqual(collection.get('a'), thing('a', 1));
    await transaction;
    t.deepEqual(keys(collection), ['b']);
  });

  suite.check('when the work throws, nothing changes and the transaction rejects with it', async (t, { driver }) => {
    const collection = driver.collection(things);
    const reason = new Error('changed my mind');
    const failing = driver.transaction((transaction) => {
      transaction.put(collection, 'a', thing('a'));
      throw reason;
    });
    t.is(await failing.catch((error: unknown) => error), reason);
    t.is(collection.size, 0);
    await collection.put('b', thing('b'));
    t.deepEqual(keys(collection), ['b']);
  });

  suite.check('a transaction is over when its work returns', async (t, { driver }) => {
    const collection = driver.collection(things);
    let kept: Transaction | undefined;
    await driver.transaction((transaction) => {
      kept = transaction;
    });
    throws(t, () => kept?.put(collection, 'a', thing('a')), 'internal');
    const late = driver.transaction(async (transaction) => {
      await undefined;
      transaction.put(collection, 'a', thing('a'));
    });
    await rejects(t, late, 'internal');
    t.is(collection.size, 0);
  });

  suite.check('transactions apply in the order of the calls, each seeing those before', async (t, { driver }) => {
    const collection = driver.collection(things);
    const order: number[] = [];
    await atOnce(200, async (index) => {
      await driver.transaction((transaction) => {
        const { count } = transaction.get(collection, 'counter') ?? thing('counter');
        transaction.put(collection, 'counter', thing('counter', count + 1));
        transaction.put(collection, `n${index}`, thing(String(count)));
      });
      order.push(index);
    });
    t.deepEqual(collection.get('counter'), thing('counter', 200));
    t.deepEqual(
      order,
      Array.from({ length: 200 }, (_, index) => index),
    );
    t.is(collection.get('n77')?.name, '77');
  });

  suite.check('what has resolved is there after a crash', async (t, opened) => {
    const collection = opened.driver.collection(things);
    await collection.put('a', thing('a', 1));
    await atOnce(20, (index) => collection.put(`k${index}`, thing(String(index))));
    await collection.delete('k3');
    const after = await opened.reopen({ crash: true });
    const again = after.driver.collection(things);
    t.deepEqual(again.get('a'), thing('a', 1));
    t.is(again.size, 20);
    t.false(again.has('k3'));
    await again.put('b', thing('b'));
    const last = await after.reopen();
    t.is(last.driver.collection(things).size, 21);
  });

  suite.check('a crash leaves transactions whole', async (t, opened) => {
    const collection = opened.driver.collection(things);
    const running = atOnce(50, (index) =>
      opened.driver.transaction((transaction) => {
        transaction.put(collection, `${index}-one`, thing('one'));
        transaction.put(collection, `${index}-two`, thing('two'));
      }),
    );
    running.catch(() => undefined);
    const after = await opened.reopen({ crash: true });
    const found = keys(after.driver.collection(things));
    const count = found.length / 2;
    t.deepEqual(
      found,
      Array.from({ length: count }, (_, index) => [`${index}-one`, `${index}-two`])
        .flat()
        .sort(),
    );
  });

  suite.check('records of an older version are migrated, step by step', async (t, opened) => {
    await opened.driver.collection(things).put('a', thing('a', 1));
    const after = await opened.reopen();
    const collection = after.driver.collection<unknown>({
      name: 'things',
      version: 3,
      migrations: { 1: (old) => ({ one: old }), 2: (old) => ({ two: old }) },
      parse: (value) => value,
    });
    t.deepEqual(collection.get('a'), { two: { one: thing('a', 1) } });
    t.deepEqual(collection.quarantined(), []);
  });

  suite.check('a record that cannot be read is set aside, and everything else goes on', async (t, opened) => {
    const before = opened.driver.collection<unknown>({ ...things, parse: (value) => value });
    await before.put('good', thing('good'));
    await before.put('bad', { count: 1 });
    const after = await opened.reopen();
    const collection = after.driver.collection(things);
    t.deepEqual(keys(collection), ['good']);
    t.is(collection.size, 1);
    t.is(collection.get('bad'), undefined);
    t.deepEqual(collection.quarantined(), [{ collection: 'things', key: 'bad', reason: 'name is missing' }]);
    await collection.put('bad', thing('new'));
    t.deepEqual(collection.get('bad'), thing('new'));
  });

  suite.check('a migration that throws or is missing sets the record aside', async (t, opened) => {
    const collection = opened.driver.collection(things);
    await collection.put('a', thing('a'));
    await collection.put('b', thing('b'));
    const second = await opened.reopen();
    const migrations = {
      1: (old: unknown) => {
        if ((old as Thing).name === 'a') throw new Error('no a');
        return old;
      },
    };
    const migrated = second.driver.collection<Thing>({ ...things, version: 2, migrations });
    t.deepEqual(keys(migrated), ['b']);
    t.regex(migrated.quarantined()[0]?.reason ?? '', /no a/);
    const third = await second.reopen();
    const without = third.driver.collection<Thing>({ ...things, version: 9 });
    t.deepEqual(keys(without), []);
    t.is(without.quarantined().length, 2);
  });

  suite.check(
    'a collection with records of a newer engine is refused, and as it was for that one',
    async (t, opened) => {
      const newest = { ...things, version: 2, migrations: { 1: (old: unknown) => old } };
      await opened.driver.collection(things).put('older', thing('older'));
      const second = await opened.reopen();
      await second.driver.collection(newest).put('a', thing('a', 7));
      const older = await second.reopen();
      const refusal = /collection things has records of version 2, and this engine knows up to 1/;
      throws(t, () => older.driver.collection(things), 'conflict', refusal);
      throws(t, () => older.driver.collection(things), 'conflict', refusal);
      const newer = await older.reopen();
      const collection = newer.driver.collection(newest);
      t.deepEqual([collection.get('a'), collection.get('older')], [thing('a', 7), thing('older')]);
      t.deepEqual(collection.quarantined(), []);
    },
  );

  suite.check('what was set aside stays so until it is discarded', async (t, opened) => {
    await opened.driver.collection<unknown>({ ...things, parse: (value) => value }).put('bad', {});
    const second = await opened.reopen();
    t.is(second.driver.collection(things).quarantined().length, 1);
    const third = await second.reopen({ crash: true });
    const collection = third.driver.collection(things);
    t.is(collection.quarantined().length, 1);
    await collection.discard('absent');
    await collection.discard('bad');
    await collection.discard('bad');
    t.deepEqual(collection.quarantined(), []);
    const fourth = await third.reopen();
    t.deepEqual(fourth.driver.collection(things).quarantined(), []);
  });

  suite.check('a collection that a release no longer opens keeps its records', async (t, opened) => {
    await opened.driver.collection(things).put('a', thing('a'));
    const without = await opened.reopen();
    await without.driver.collection({ ...things, name: 'others' }).put('b', thing('b'));
    const again = await without.reopen();
    t.deepEqual(keys(again.driver.collection(things)), ['a']);
  });

  suite.check('records are as large as they need to be', async (t, opened) => {
    const collection = opened.driver.collection(things);
    const note = 'x'.repeat(2 * 1024 * 1024);
    await collection.put('a', { name: 'a', count: 0, note });
    const after = await opened.reopen({ crash: true });
    t.is(after.driver.collection(things).get('a')?.note?.length, note.length);
  });

  suite.check('bad names of collections are refused', async (t, { driver }) => {
    for (const name of ['', 'A', '1a', 'a b', 'a\0b', 'a/b']) {
      throws(t, () => driver.collection({ ...things, name }), 'invalid-argument');
    }
  });

  suite.check('keys that cannot be kept apart are refused', async (t, { driver }) => {
    const collection = driver.collection(things);
    for (const key of ['', '\ud800']) await rejects(t, collection.put(key, thing('a')), 'invalid-argument');
    t.is(collection.size, 0);
  });

  suite.group({ capability: 'snapshot', when: ({ snapshot }) => snapshot !== undefined }, (snapshots) => {
    snapshots.check('a snapshot has the records of its moment, and opens as a store', async (t, { driver }, open) => {
      const collection = driver.collection(things);
      await Promise.all(['a', 'b', 'c'].map((key) => collection.put(key, thing(key))));
      await collection.delete('b');
      const directory = await freshDirectory();
      try {
        const running = collection.put('d', thing('d'));
        const taken = driver.snapshot?.(directory);
        const later = collection.put('e', thing('e'));
        await Promise.all([running, taken, later]);
        const other = await open();
        for (const name of readdirSync(other.dirs.root)) rmSync(join(other.dirs.root, name), { recursive: true });
        cpSync(directory, other.dirs.root, { recursive: true });
        const restored = (await other.reopen({ crash: true })).driver.collection(things);
        t.deepEqual(keys(restored).slice(0, 2), ['a', 'c']);
        t.deepEqual(restored.get('c'), thing('c'));
        await restored.put('f', thing('f'));
        t.deepEqual(keys(collection), ['a', 'c', 'd', 'e']);
      } finally {
        removeDirectory(directory);
      }
    });
  });

  suite.check('a released store takes no more transactions', async (t, opened) => {
    const collection = opened.driver.collection(things);
    await collection.put('a', thing('a'));
    await opened.release();
    await rejects(t, collection.put('b', thing('b')), 'unavailable');
  });
});
