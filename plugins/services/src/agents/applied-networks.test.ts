import { silentLogger } from '@gantry/core/driver';
import test from 'ava';
import { AppliedNetworks } from './applied-networks.js';

/** Whether a promise has resolved by the next turn of the event loop. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise(setImmediate);
  return settled;
}

test('a revision is in effect once every node that was sent a change has confirmed it', async (t) => {
  const networks = new AppliedNetworks(silentLogger);
  const { signal } = new AbortController();
  const [one, two] = [networks.open('n1', signal), networks.open('n2', signal)];
  one.sent(5);
  two.sent(5);
  const settled = networks.settled(5);
  networks.applied('n1', 5);
  t.false(await isSettled(settled));
  networks.applied('n2', 4);
  t.false(await isSettled(settled));
  networks.applied('n2', 5);
  t.true(await isSettled(settled));
});

test('a node that has confirmed what it was sent is current when nothing has changed for it', async (t) => {
  const networks = new AppliedNetworks(silentLogger);
  const node = networks.open('n1', new AbortController().signal);
  node.sent(5);
  node.changed();
  networks.distributed(8);
  node.unchanged();
  const settled = networks.settled(8);
  t.false(await isSettled(settled), 'it has not confirmed the revision before');
  networks.applied('n1', 5);
  t.true(await isSettled(settled));
});

test('a node whose connection ends is not waited for', async (t) => {
  const networks = new AppliedNetworks(silentLogger);
  const connection = new AbortController();
  networks.open('n1', connection.signal).sent(5);
  const settled = networks.settled(5);
  t.false(await isSettled(settled));
  connection.abort();
  t.true(await isSettled(settled));
});
