import type { ClusterStore } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import type { ManagerIdentity } from '../certificates/manager-identity.js';
import type { LocalMember, LocalMemberFile } from '../membership/local-member-file.js';
import type { ManagerStore } from '../membership/manager-store.js';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { LeaderWork } from './leader-work.js';
import type { RootRotation } from './root-rotation.js';
import type { StoreMembers } from './store-members.js';

const idle = { whileManager: async () => undefined };
const addresses = { listen: '127.0.0.1:1', advertise: '127.0.0.1:1', dataPath: '127.0.0.1' };

test('where the managers are is kept until it succeeds, as on a full disk', async (t) => {
  const records = [
    { id: 'leader', value: { manager: { address: '127.0.0.1:1' } } },
    { id: 'other', value: { manager: { address: '127.0.0.2:1' } } },
  ];
  const end = new AbortController();
  const store = {
    select: () => records,
    async *watch() {
      await new Promise((resolve) => end.signal.addEventListener('abort', resolve));
    },
  } as unknown as ClusterStore;
  let failures = 1;
  const file = {
    present: { role: 'manager', nodeId: 'leader', addresses } as LocalMember,
    async update(change: (member: LocalMember) => LocalMember) {
      if (failures-- > 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      this.present = change(this.present);
    },
  };
  const work = new LeaderWork(
    idle as unknown as ManagerIdentity,
    idle as unknown as RootRotation,
    idle as unknown as StoreMembers,
    { follow: () => undefined } as unknown as ManagerStore,
    file as unknown as LocalMemberFile,
    silentLogger,
  ).whileManager({ store, nodeId: 'leader', signal: end.signal } as OpenSession);
  const kept = () => file.present.managers;
  await Promise.race([work, eventually('the managers are kept', () => kept() !== undefined)]);
  end.abort();
  await work;
  t.deepEqual(
    kept()?.map(({ nodeId }) => nodeId),
    ['leader', 'other'],
  );
});
