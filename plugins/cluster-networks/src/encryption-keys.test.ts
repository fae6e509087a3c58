import { EventEmitter, once } from 'node:events';
import type { ClusterService, ManagerSession } from '@gantry/cluster/service';
import { openDriver } from '@gantry/conformance';
import { createRecord, type TunnelKey } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { clusterStore } from '@gantry/memory-drivers';
import test from 'ava';
import { encryptionKeyKind } from './encryption-key-kind.js';
import { EncryptionKeys } from './encryption-keys.js';
import { type ClusterNetwork, networkKind } from './network-kind.js';
import { nextEncryptionKeys, rotationInterval, sendingKey, untilRotation } from './next-encryption-keys.js';

const network = (name: string, vxlanId: number, options: ClusterNetwork['options']): ClusterNetwork => ({
  ...{ name, vxlanId, options, driver: 'overlay', labels: {}, pools: [], ipam: { driver: 'default', options: {} } },
  ...{ internal: false, attachable: false, ingress: false },
});

test('nodes have a key before others send with it, and keep the one before', (t) => {
  let count = 0;
  const newKey = () => ({ id: `${++count}`, sealed: '' });
  const ids = (state: ReturnType<typeof nextEncryptionKeys>): string => state.keys.map(({ id }) => id).join();
  const first = nextEncryptionKeys(undefined, newKey, new Date(0));
  t.is(ids(first), '1,2');
  t.is(sendingKey(first)?.id, '1');
  const second = nextEncryptionKeys(first, newKey, new Date(rotationInterval));
  t.is(ids(second), '1,2,3');
  t.is(sendingKey(second)?.id, '2');
  const third = nextEncryptionKeys(second, newKey, new Date(2 * rotationInterval));
  t.is(ids(third), '2,3,4');
  t.is(untilRotation(third, new Date(2 * rotationInterval + 1000)), rotationInterval - 1000);
  t.is(untilRotation(third, new Date(4 * rotationInterval)), 0);
  t.is(untilRotation(third, new Date(0)), rotationInterval, 'a clock that was turned back');
});

test('the leader makes keys with the first encrypted network, sealed, and rotates them when they are old', async (t) => {
  const opened = await openDriver(clusterStore);
  t.teardown(() => opened.release());
  const store = await opened.driver.create({ name: 'm1' });
  const service = {
    seal: (content: Buffer) => `sealed ${content.toString('base64')}`,
    unseal: (sealed: string) => Buffer.from(sealed.slice('sealed '.length), 'base64'),
  } as unknown as ClusterService;
  let now = 1_000_000_000_000n;
  const keysIn = (keys: EncryptionKeys): readonly TunnelKey[] => keys.of(store);
  const rotated = new EventEmitter();
  const log = { ...silentLogger, info: () => void rotated.emit('rotated') };
  const lead = () => {
    const end = new AbortController();
    const keys = new EncryptionKeys(service, { now: () => now }, log);
    const done = keys.run({ nodeId: 'n', store, signal: end.signal } as ManagerSession);
    const stop = (): Promise<void> => {
      end.abort();
      return done;
    };
    return { keys, end: stop };
  };
  const leader = lead();
  await store.transact([createRecord(networkKind, 'n1', network('plain', 5000, { encrypted: 'false' }))]);
  t.deepEqual(keysIn(leader.keys), []);
  const made = once(rotated, 'rotated');
  await store.transact([createRecord(networkKind, 'n2', network('secret', 5001, { encrypted: '' }))]);
  await made;
  const [first, second] = keysIn(leader.keys);
  t.deepEqual([first?.sends, second?.sends, keysIn(leader.keys).length], [true, false, 2]);
  t.is(Buffer.from(first?.secret ?? '', 'base64').length, 32);
  t.true(
    store.list(encryptionKeyKind).every(({ value }) => value.keys.every(({ sealed }) => sealed.startsWith('sealed'))),
  );
  await leader.end();
  now += BigInt(rotationInterval) * 1_000_000n;
  const again = once(rotated, 'rotated');
  const successor = lead();
  await again;
  t.deepEqual(
    keysIn(successor.keys)
      .map(({ id, sends }) => [id, sends])
      .slice(0, 2),
    [
      [first?.id, false],
      [second?.id, true],
    ],
  );
  await successor.end();
});
