import test from 'ava';
import { treeOf } from '../testing/tree-of.js';
import { swarmFormatFollowsVersions } from './swarm-records.js';

const kinds = Object.fromEntries(
  [
    'plugins/cluster-networks/src/encryption-key-kind.ts',
    'plugins/cluster-networks/src/network-kind.ts',
    'plugins/cluster/src/records/cluster-kind.ts',
    'plugins/cluster/src/records/node-kind.ts',
    'plugins/cluster/src/records/sealed-kinds.ts',
    'plugins/services/src/records/record-kinds.ts',
  ].map((path) => [path, "export const some: RecordKind<Some> = {\n  name: 'some',\n  version: 1,\n};"]),
);
const format = { 'plugins/cluster/src/records/record-format.ts': 'export const recordFormat = 1;' };

test('the versions that are written down are fine', (t) => {
  t.deepEqual(swarmFormatFollowsVersions.check(treeOf({ ...kinds, ...format })), []);
});

test('another version, another kind and another format are found', (t) => {
  const newer = "export const some: RecordKind<Some> = {\n  name: 'some',\n  version: 2,\n};";
  for (const change of [
    { 'plugins/cluster/src/records/node-kind.ts': newer },
    { 'plugins/other/src/other-kind.ts': newer },
    { 'plugins/cluster/src/records/record-format.ts': 'export const recordFormat = 2;' },
  ]) {
    const [breach, ...more] = swarmFormatFollowsVersions.check(treeOf({ ...kinds, ...format, ...change }));
    t.regex(breach ?? '', /raise it with a version or for a new kind/);
    t.deepEqual(more, []);
  }
});
