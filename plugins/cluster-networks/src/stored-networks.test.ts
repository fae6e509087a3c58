import type { ClusterService, ManagerSession } from '@gantry/cluster/service';
import { Mutex } from '@gantry/core/driver';
import test from 'ava';
import type { EncryptionKeys } from './encryption-keys.js';
import type { NetworkAllocations } from './network-allocations.js';
import { StoredNetworks } from './stored-networks.js';

test('a network is not removed while a service that uses it is being stored', async (t) => {
  const mutex = new Mutex();
  const transactions: unknown[] = [];
  const session = {
    store: {
      get: () => ({ id: 'n1', value: { name: 'mesh' } }),
      leadership: { current: { role: 'leader', epoch: 1 } },
      transact: async (changes: unknown) => transactions.push(changes),
    },
  } as unknown as ManagerSession;
  const cluster = {
    manager: async () => session,
    keepingReferences: (change: () => Promise<unknown>) => mutex.run(change),
  } as unknown as ClusterService;
  const free: NetworkAllocations['free'] = (_store, _record, deleteRecord) => deleteRecord();
  const allocations = { free } as NetworkAllocations;
  const networks = new StoredNetworks(cluster, {} as unknown as EncryptionKeys, allocations);
  let user: string | undefined;
  networks.addUsers({ userOf: () => user });
  let store = (): void => undefined;
  const stored = new Promise<void>((resolve) => (store = resolve));
  const storing = mutex.run(() => stored);
  const removal = networks.remove('n1');
  user = 'service web';
  store();
  await storing;
  await t.throwsAsync(removal, { message: /network mesh is in use by service web/ });
  t.deepEqual(transactions, []);
  user = undefined;
  await networks.remove('n1');
  t.is(transactions.length, 1);
});
