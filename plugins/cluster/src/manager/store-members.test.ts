import type { ClusterMember, ClusterStore } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { conflict, notFound, unavailable } from '@gantry/core/errors';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import type { OpenSession } from '../sessions/manager-sessions.js';
import { StoreMembers } from './store-members.js';

test('members are brought in line with the roles of the nodes until it succeeds, whatever fails meanwhile', async (t) => {
  const members: ClusterMember[] = ['leader', 'removed', 'other'].map((name) => ({ id: name, name, role: 'voter' }));
  // What the store may say when a change that was given up has been made after all.
  const failures = [notFound('there is no member'), conflict('the member is a voter'), unavailable('no answer')];
  const end = new AbortController();
  const store = {
    members: {
      list: async () => [...members],
      remove: async (id: string) => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        members.splice(members.findIndex((member) => member.id === id) >>> 0, 1);
      },
    },
    get: (_kind: unknown, id: string) => (id === 'removed' ? undefined : { value: { spec: { Role: 'manager' } } }),
    list: () => [],
  } as unknown as ClusterStore;
  const session = { store, nodeId: 'leader', signal: end.signal } as OpenSession;
  const work = new StoreMembers(silentLogger).whileManager(session);
  await eventually('a member is removed', () => members.length === 2);
  end.abort();
  await work;
  t.deepEqual(
    members.map(({ name }) => name),
    ['leader', 'other'],
  );
});
