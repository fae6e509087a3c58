import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { checkAccess } from './check-access.js';

const range = [{ containerID: 0, hostID: 100_000, size: 65_536 }];
const mappings = { uids: range, gids: range };

test('a directory above the data root that root of containers may not search is refused by name', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-access-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const dataRoot = path.join(directory, 'data', '100000.100000');
  await t.throwsAsync(checkAccess(dataRoot, mappings), {
    message: `usernsRemap: user 100000, root of remapped containers, may not search ${directory}; allow it with "chmod o+x ${directory}", or choose another --data-root`,
  });
  await chmod(directory, 0o701);
  await t.notThrowsAsync(checkAccess(dataRoot, mappings));
  await chown(directory, 0, 100_000);
  await t.throwsAsync(checkAccess(dataRoot, mappings), { message: /may not search/ });
  await chmod(directory, 0o710);
  await t.notThrowsAsync(checkAccess(dataRoot, mappings));
});
