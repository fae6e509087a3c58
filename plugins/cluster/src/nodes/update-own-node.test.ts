import type { ClusterStore } from '@gantry/core/contracts';
import { silentLogger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import type { IdentityFile } from '../certificates/identity-file.js';
import type { DescribeEngine } from '../engine/describe-engine.js';
import { EngineFacts } from '../engine/engine-facts.js';
import type { LocalMemberFile } from '../membership/local-member-file.js';
import type { SwarmMembership } from '../membership/swarm-membership.js';
import type { ManagerSession } from '../service.js';
import { UpdateOwnNode } from './update-own-node.js';

const addresses = { listen: '127.0.0.1:1', advertise: '127.0.0.1:1', dataPath: '127.0.0.1' };
const source = { onChange: () => () => undefined };

test("a leader's own node becomes ready when the store takes the change, if not at first", async (t) => {
  let failures = 1;
  let changes = 0;
  const store = {
    memberId: 'member',
    get: () => ({ id: 'own', value: { status: { state: 'down' }, spec: {} }, version: 1 }),
    transact: async () => {
      if (failures-- > 0) throw unavailable('the store has no majority');
      changes += 1;
    },
  } as unknown as ClusterStore;
  const end = new AbortController();
  const work = new UpdateOwnNode(
    { state: { status: 'active', member: { addresses } } } as unknown as SwarmMembership,
    { ...source, present: {} } as unknown as IdentityFile,
    { present: { addresses } } as unknown as LocalMemberFile,
    { ...source, describe: () => ({}) } as unknown as DescribeEngine,
    new EngineFacts(),
    silentLogger,
  ).whileManager({ store, nodeId: 'own', signal: end.signal } as ManagerSession);
  await Promise.race([work, eventually('the node is ready', () => changes > 0)]);
  end.abort();
  await work;
  t.is(changes, 1);
});
