import { openDriver } from '@gantry/conformance';
import { type ClusterStore, createRecord } from '@gantry/core/contracts';
import { clusterStore } from '@gantry/memory-drivers';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { eachChange, followRecords } from './follow-records.js';
import { type Node, nodes } from './node-kind.js';

const node: Node = {
  spec: { Labels: {}, Role: 'worker', Availability: 'active' },
  description: {} as Node['description'],
  status: { state: 'ready', address: '192.0.2.1' },
};
const added = (store: ClusterStore, id: string) => store.transact([createRecord(nodes, id, node)]);

test('records are followed until the store is closed, whether or not the session has ended', async (t) => {
  const { driver, release } = await openDriver(clusterStore);
  t.teardown(release);
  const store = await driver.create({ name: 'm1' });
  const followed = { store, signal: new AbortController().signal };
  const changed: string[] = [];
  let looks = 0;
  const looking = (async () => {
    for await (const _change of eachChange(followed, [nodes])) looks++;
  })();
  const following = followRecords(followed, [nodes], {
    changed: ({ id }) => void changed.push(id),
    lost: () => t.fail('nothing was missed'),
  });
  await eventually('it has looked', () => looks === 1);
  await added(store, 'one');
  await eventually('it has looked again', () => looks === 2);
  await added(store, 'two');
  await eventually('both have come', () => looks === 3 && changed.length === 2);
  await driver.destroy();
  await Promise.all([following, looking]);
  t.deepEqual(changed, ['one', 'two']);
});
