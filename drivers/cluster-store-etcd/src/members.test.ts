import { Duplex, PassThrough } from 'node:stream';
import { openDriver } from '@gantry/conformance';
import {
  type ClusterStore,
  type ClusterStoreDriver,
  createRecord,
  deleteRecord,
  type MemberTransport,
  TransactionConflict,
} from '@gantry/core/contracts';
import { unavailable } from '@gantry/core/errors';
import test, { type ExecutionContext } from 'ava';
import etcd from './index.js';
import { blob, blobs, fill, smallQuota } from './testing/blobs.js';
import { counts } from './testing/counts.js';

/** On a busy host, leaders are late. */
const slowElections = { electionTimeoutSeconds: 3, requestTimeoutSeconds: 60 };

/** Connects the drivers of one test with each other, as engines do over the network. */
class Switchboard {
  readonly #drivers = new Map<string, ClusterStoreDriver>();
  readonly #listeners = new Set<() => void>();
  readonly #connections = new Set<{ readonly names: readonly string[]; readonly ends: readonly Duplex[] }>();
  readonly #cut = new Set<string>();

  add(name: string, driver: ClusterStoreDriver): MemberTransport {
    this.#drivers.set(name, driver);
    for (const listener of this.#listeners) listener();
    const others = () => [...this.#drivers.keys()].filter((other) => other !== name);
    return {
      get members() {
        return others();
      },
      onChange: (listener) => {
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
      connect: async (member) => this.#connect(name, member),
    };
  }

  /** No bytes pass between a member and the others. */
  cut(name: string): void {
    this.#cut.add(name);
    for (const { ends, names } of this.#connections) if (names.includes(name)) for (const end of ends) end.destroy();
  }

  heal(name: string): void {
    this.#cut.delete(name);
  }

  #connect(from: string, to: string): Duplex {
    if (this.#cut.has(from) || this.#cut.has(to)) throw unavailable(`${to} is cut off`);
    const [there, back] = [new PassThrough(), new PassThrough()];
    const near = Duplex.from({ readable: back, writable: there });
    const far = Duplex.from({ readable: there, writable: back });
    for (const end of [near, far]) end.on('error', () => end.destroy());
    this.#connections.add({ names: [from, to], ends: [near, far] });
    const accept = this.#drivers.get(to)?.accept?.bind(this.#drivers.get(to));
    if (accept === undefined) throw unavailable(`${to} accepts no connections`);
    accept(far);
    return near;
  }
}

/** A store with a voter, `m1`, which leads, and another two that have joined it and were promoted. */
async function threeMembers(t: ExecutionContext, config: object = {}) {
  const switchboard = new Switchboard();
  const opened = await Promise.all(
    ['m1', 'm2', 'm3'].map(async (name) => {
      const { driver, release } = await openDriver(etcd, { config: { ...slowElections, ...config } });
      t.teardown(release);
      const member: { name: string; driver: ClusterStoreDriver } = { name, driver };
      return member;
    }),
  );
  const [first, ...others] = opened;
  if (first === undefined) throw new Error('there is no member');
  const transports = new Map<string, MemberTransport>();
  const add = ({ driver, name }: (typeof opened)[number]) => {
    const transport = switchboard.add(name, driver);
    transports.set(name, transport);
    return transport;
  };
  const store = await first.driver.create({ name: 'm1', transport: add(first) });
  for (const other of others) {
    const transport = add(other);
    const { id, role } = await store.members.add({ name: other.name });
    t.is(role, 'learner');
    const members = (await store.members.list()).map(({ name }) => name);
    await other.driver.join?.({ id: store.id, name: other.name, members, transport });
    await promoted(store, id);
  }
  const open = (name: string, signal?: AbortSignal) => {
    const [driver, transport] = [opened.find((each) => each.name === name)?.driver, transports.get(name)];
    if (driver === undefined || transport === undefined) throw new Error(`there is no member ${name}`);
    return driver.open({ transport, ...(signal && { signal }) });
  };
  return { store, switchboard, open, drivers: opened.map(({ driver }) => driver) };
}

/** etcd refuses until the learner has every record. */
async function promoted(store: ClusterStore, id: string): Promise<void> {
  for (;;) {
    try {
      return await store.members.promote(id);
    } catch (error) {
      if (!/in sync with leader|did not answer/.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const closedOf = (store: ClusterStore): Promise<void> =>
  new Promise((resolve) => {
    if (store.closed.aborted) resolve();
    store.closed.addEventListener('abort', () => resolve(), { once: true });
  });

test.serial(
  'a leader that is cut off loses its store, another member takes over with every record, and the first follows',
  async (t) => {
    const { open, store, switchboard } = await threeMembers(t);
    await store.transact([createRecord(counts, 'before', { count: 1 })]);
    t.deepEqual(
      (await store.members.list()).map(({ role }) => role),
      ['voter', 'voter', 'voter'],
    );
    const end = new AbortController();
    const others = ['m2', 'm3'].map((name) => open(name, end.signal));
    for (const other of others) other.catch(() => undefined); // awaited below
    switchboard.cut('m1');
    const next = await Promise.race(others);
    t.is(next.get(counts, 'before')?.value.count, 1);
    await next.transact([createRecord(counts, 'after', { count: 2 })]);
    await closedOf(store);
    await t.throwsAsync(store.transact([createRecord(counts, 'late', { count: 3 })]), { message: /closed/ });
    switchboard.heal('m1');
    await next.transact([createRecord(counts, 'healed', { count: 4 })]);
    t.is(next.get(counts, 'late'), undefined);
    end.abort(new Error('the test has ended'));
    await Promise.allSettled(others);
  },
);

test.serial(
  'leadership is transferred: the earlier leader writes nothing any more, whatever it believes',
  async (t) => {
    const { open, store } = await threeMembers(t);
    const epoch = store.leadership.current;
    const target = (await store.members.list()).find(({ id }) => id !== store.memberId);
    if (target === undefined) return t.fail('there is no other member');
    const opening = open(target.name);
    await store.members.transferLeadership(target.id);
    const next = await opening;
    t.is(next.memberId, target.id);
    const error = await t.throwsAsync(store.transact([createRecord(counts, 'late', { count: 1 })]));
    t.true(TransactionConflict.is(error) || /closed/.test(String(error)), String(error));
    await closedOf(store);
    t.is(store.leadership.current.role, 'follower');
    t.true(epoch.role === 'leader' && next.leadership.current.role === 'leader');
    await next.members.remove(store.memberId);
    t.is((await next.members.list()).length, 2);
  },
);

test.serial(
  'when the quota is reached another member can lead, and objects removed through it make room',
  async (t) => {
    const { open, store } = await threeMembers(t, smallQuota);
    t.regex(String((await fill(store)).error), /has reached its quota/);
    const target = (await store.members.list()).find(({ id }) => id !== store.memberId);
    if (target === undefined) return t.fail('there is no other member');
    const opening = open(target.name);
    const third = open(target.name === 'm2' ? 'm3' : 'm2', AbortSignal.timeout(60_000));
    third.catch(() => undefined); // it follows
    await store.members.transferLeadership(target.id);
    const next = await opening;
    for (const record of next.list(blobs)) await next.transact([deleteRecord(blobs, record)]);
    // More than the file of a member would have room for beside what was removed.
    for (let index = 0; index < 60; index++) {
      await next.transact([createRecord(blobs, 'again', blob(index))]);
      const [record] = next.list(blobs);
      if (record !== undefined) await next.transact([deleteRecord(blobs, record)]);
    }
    t.deepEqual(next.list(blobs), []);
  },
);

test.serial('a learner becomes the only member, with every record, and is a voter from then on', async (t) => {
  const switchboard = new Switchboard();
  const [first, second] = await Promise.all(
    ['m1', 'm2'].map(async () => {
      const opened = await openDriver(etcd, { config: slowElections });
      t.teardown(opened.release);
      return opened.driver;
    }),
  );
  if (first === undefined || second?.join === undefined) return t.fail('there are no two members');
  const store = await first.create({ name: 'm1', transport: switchboard.add('m1', first) });
  const transport = switchboard.add('m2', second);
  await store.transact([createRecord(counts, 'last', { count: 7 })]);
  await store.members.add({ name: 'm2' });
  await second.join({ id: store.id, name: 'm2', members: ['m1', 'm2'], transport });
  await first.destroy();
  const alone: MemberTransport = {
    ...transport,
    members: [],
    connect: () => Promise.reject(unavailable('m1 is lost')),
  };
  const recovered = await second.recover({ transport: alone });
  t.is(recovered.id, store.id);
  t.is(recovered.get(counts, 'last')?.value.count, 7);
  t.deepEqual(
    (await recovered.members.list()).map(({ name, role }) => ({ name, role })),
    [{ name: 'm2', role: 'voter' }],
  );
  await recovered.transact([createRecord(counts, 'next', { count: 8 })]);
  const again = await second.recover({ transport: alone });
  t.is(again.get(counts, 'next')?.value.count, 8);
});
