import { StateDrivers } from '@gantry/core/contracts';
import { state } from '@gantry/memory-drivers';
import { startEngine } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import type { ContainerRecord } from '../record.js';
import { recordWith } from '../testing/configuration-fixture.js';
import { beginRemoval, endRestarts, markStopped } from '../transitions.js';
import { ContainerStore } from './container-store.js';

const id = (letter: string) => letter.repeat(64);
const record = (changes: Partial<ContainerRecord>): ContainerRecord => ({ ...recordWith({}), ...changes });

async function open(t: ExecutionContext) {
  const engine = await startEngine(t, [state], { listens: false });
  const states = engine.kernel.drivers(StateDrivers);
  return { states, store: new ContainerStore(states) };
}

test('a container is found by id, name and prefix, in this order', async (t) => {
  const { store } = await open(t);
  const a = await store.insert(record({ id: id('a'), name: 'one' }));
  const b = await store.insert(record({ id: `ab${id('b').slice(2)}`, name: 'aaa' }));
  t.is(store.get(id('a')), a);
  t.is(store.get('/one'), a);
  t.is(store.get('aaa'), b);
  t.is(store.get('aaaa'), a);
  t.throws(() => store.get('a'), { message: 'Multiple IDs found with provided prefix: a' });
  t.throws(() => store.get('nosuch'), { message: 'No such container: nosuch' });
});

test('a name is reserved before it is used, and free again once released', async (t) => {
  const { store } = await open(t);
  const releaseName = store.reserveName('x', id('a'));
  t.throws(() => store.reserveName('x', id('b')), {
    message: /^Conflict\. The container name "\/x" is already in use by/,
  });
  t.throws(() => store.get('x'), { message: 'No such container: x' });
  releaseName();
  t.notThrows(() => store.reserveName('x', id('b')));
});

test('changes are made one after the other, each from what the one before has stored', async (t) => {
  const { store, states } = await open(t);
  const container = await store.insert(record({ id: id('a'), restartCount: 0 }));
  const count = (current: ContainerRecord) => ({ ...current, restartCount: current.restartCount + 1 });
  const heard: number[] = [];
  await Promise.all([1, 2, 3].map(() => container.change(count, () => heard.push(container.record.restartCount))));
  t.deepEqual(heard, [1, 2, 3]);
  t.false(await container.change(endRestarts));
  const again = new ContainerStore(states);
  t.is(again.get(id('a')).record.restartCount, 3);
});

test('a watcher of a condition resolves after the change was announced, or when the container is removed', async (t) => {
  const { store } = await open(t);
  const container = await store.insert(record({ id: id('a') }));
  const order: string[] = [];
  const waiting = container.until(({ stoppedByUser }) => stoppedByUser).then(() => order.push('waited'));
  await container.change(markStopped, () => order.push('announced'));
  await waiting;
  t.deepEqual(order, ['announced', 'waited']);
  const gone = container.until(() => false);
  const aborted = container.until(() => false, { signal: AbortSignal.abort(new Error('left')) });
  await t.throwsAsync(aborted, { message: 'left' });
  await store.forget(container);
  await gone;
  t.false(await container.change((current) => current));
});

test('a forgotten container frees its name at once, and its record stays as the intent until it is erased', async (t) => {
  const { store, states } = await open(t);
  const older = await store.insert(record({ id: id('a'), name: 'x' }));
  await older.change(beginRemoval(false));
  const erase = await store.forget(older);
  t.is(store.size, 0);
  t.notThrows(() => store.reserveName('x', id('0')));
  const newer = await store.insert(record({ id: id('0'), name: 'x' }));
  const next = new ContainerStore(states);
  t.is(next.get(older.id).record.state.status, 'removing');
  t.is(next.get('x').id, newer.id);
  await erase();
  t.deepEqual(
    [...new ContainerStore(states).all()].map((container) => container.id),
    [newer.id],
  );
});

for (const last of [id('0'), id('f')]) {
  test(`a name belongs to the container that is not being removed, also when ${last[0]} was read last`, async (t) => {
    const { store, states } = await open(t);
    const removing = await store.insert(record({ id: last, name: 'x' }));
    await removing.change(beginRemoval(false));
    await store.forget(removing);
    const kept = await store.insert(record({ id: id('5'), name: 'x' }));
    const next = new ContainerStore(states);
    t.is(next.get('x').id, kept.id);
    await next.forget(next.get(last));
    t.is(next.get('x').id, kept.id);
  });
}
