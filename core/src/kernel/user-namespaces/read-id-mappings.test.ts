import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { toContainerId, toHostId } from '../../contracts/id-mappings.js';
import { readIdMappings } from './read-id-mappings.js';

const files = {
  passwd: 'root:x:0:0::/root:/bin/sh\ndockremap:x:104:109::/:/bin/false\nann:x:1000:1000::/:/bin/sh\n',
  group: 'root:x:0:\ndockremap:x:109:\nann:x:1000:\nstaff:x:50:ann\n',
  subuid: '# ranges\ndockremap:100000:65536\nann:200000:1000\nann:400000:5\n',
  subgid: 'dockremap:100000:65536\n1000:300000:1000\nstaff:500000:7\n',
};

async function etcWith(t: ExecutionContext, changes: Partial<typeof files> = {}): Promise<string> {
  const etc = await mkdtemp(path.join(tmpdir(), 'gantry-etc-'));
  t.teardown(() => rm(etc, { recursive: true }));
  for (const [name, text] of Object.entries({ ...files, ...changes })) await writeFile(path.join(etc, name), text);
  return etc;
}

test('default is the ranges of dockremap', async (t) => {
  const range = [{ containerID: 0, hostID: 100_000, size: 65_536 }];
  t.deepEqual(await readIdMappings('default', await etcWith(t)), { uids: range, gids: range });
});

test('several ranges follow each other in the container, and names and numbers are the same', async (t) => {
  const etc = await etcWith(t);
  const uids = [
    { containerID: 0, hostID: 200_000, size: 1000 },
    { containerID: 1000, hostID: 400_000, size: 5 },
  ];
  const gids = [{ containerID: 0, hostID: 300_000, size: 1000 }];
  for (const value of ['ann', '1000', 'ann:ann', '1000:1000', 'ann:1000']) {
    t.deepEqual(await readIdMappings(value, etc), { uids, gids }, value);
  }
  t.deepEqual((await readIdMappings('ann:staff', etc)).gids, [{ containerID: 0, hostID: 500_000, size: 7 }]);
  t.is(toHostId(uids, 1004), 400_004);
  t.is(toHostId(uids, 1005), undefined);
  t.is(toContainerId(uids, 400_004), 1004);
  t.is(toContainerId(uids, 0), undefined);
});

for (const [value, changes, message] of [
  ['nosuch', {}, /^usernsRemap: "nosuch": there is no user "nosuch" in .*passwd$/],
  ['ann:nosuch', {}, /there is no group "nosuch" in .*group$/],
  [
    'default',
    { passwd: '' },
    /there is no user "dockremap" .*; create it with "useradd --system --user-group dockremap"$/,
  ],
  [
    'default',
    { subuid: '' },
    /subuid has no range for the user dockremap; add a line such as "dockremap:100000:65536"$/,
  ],
  ['default', { subgid: '' }, /subgid has no range for the group dockremap/],
  ['default', { subuid: 'dockremap:x:1\n' }, /subuid: "dockremap:x:1" is not a range/],
  ['default', { subuid: 'dockremap:0:65536\n' }, /subuid: "dockremap:0:65536" is not a range/],
  ['default', { subuid: 'dockremap:4294967000:65536\n' }, /is not a range/],
  ['a:b:c', {}, /^usernsRemap: "a:b:c" is not "default", user\[:group\] or uid\[:gid\]$/],
  [':', {}, /is not "default"/],
] as const) {
  test(`refused: ${value} with ${JSON.stringify(changes)}`, async (t) => {
    await t.throwsAsync(readIdMappings(value, await etcWith(t, changes)), { message });
  });
}
