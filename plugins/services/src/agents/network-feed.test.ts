import { silentLogger } from '@gantry/core/driver';
import test from 'ava';
import { AppliedNetworks } from './applied-networks.js';
import { NetworkFeed } from './network-feed.js';

/** Timers that pass when the test says so. */
class Timers {
  readonly callbacks = new Set<() => void>();

  after(_milliseconds: number, callback: () => void): () => void {
    this.callbacks.add(callback);
    return () => void this.callbacks.delete(callback);
  }

  pass(): void {
    for (const callback of this.callbacks) callback();
    this.callbacks.clear();
  }
}

function openFeed() {
  const timers = new Timers();
  const feed = new NetworkFeed(new AppliedNetworks(silentLogger), timers);
  const connection = new AbortController();
  const node = feed.open('n1', connection.signal);
  let isDue = false;
  const wait = (): void => {
    isDue = false;
    void node.changed().then(() => {
      isDue = true;
    });
  };
  const isNextDue = async (): Promise<boolean> => {
    await new Promise(setImmediate);
    return isDue;
  };
  return { connection, feed, isNextDue, node, timers, wait };
}

test('a node is sent the next change once it has the last in effect', async (t) => {
  const { feed, isNextDue, node, timers, wait } = openFeed();
  node.progress.sent(5);
  wait();
  node.notify();
  node.notify();
  t.false(await isNextDue());
  feed.confirm('n1', 5);
  t.true(await isNextDue());
  node.progress.sent(7);
  feed.confirm('n1', 7);
  wait();
  t.false(await isNextDue(), 'both changes were sent together');
  t.is(timers.callbacks.size, 0, 'nothing is waited for');
});

test('a node that confirms nothing is sent the next change after a while', async (t) => {
  const { isNextDue, node, timers, wait } = openFeed();
  node.progress.sent(5);
  wait();
  node.notify();
  t.false(await isNextDue());
  timers.pass();
  t.true(await isNextDue());
});

test('nothing waits for a node whose connection ends', async (t) => {
  const { connection, isNextDue, node, timers, wait } = openFeed();
  node.progress.sent(5);
  wait();
  t.false(await isNextDue());
  connection.abort();
  t.true(await isNextDue());
  t.is(timers.callbacks.size, 0);
});

test('a change of meshes reaches the nodes that are given them, and one of the network all that are on it', (t) => {
  const feed = new NetworkFeed(new AppliedNetworks(silentLogger), new Timers());
  const { signal } = new AbortController();
  const [sending, answering] = [feed.open('n1', signal), feed.open('n2', signal)];
  const networks = new Set(['ingress']);
  sending.follow({ networks, meshes: new Set() });
  answering.follow({ networks, meshes: networks });
  const none = { all: false, networks: new Set<string>(), meshes: new Set<string>(), nodes: new Set<string>() };
  const concerned = (more: object) => [sending, answering].map((node) => node.isConcerned({ ...none, ...more }));
  t.deepEqual(concerned({ meshes: networks }), [false, true]);
  t.deepEqual(concerned({ networks }), [true, true]);
  t.deepEqual(concerned({ meshes: networks, nodes: new Set(['n1']) }), [true, true]);
});
