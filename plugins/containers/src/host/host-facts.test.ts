import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { readHostFacts } from './host-facts.js';

for (const [what, file, version] of [
  ['with no controller', '', 2],
  ['with controllers', 'cpu memory pids\n', 2],
  ['without the file', undefined, 1],
] as const) {
  test(`a cgroup root ${what} is of version ${version}`, async (t) => {
    const root = await mkdtemp(path.join(tmpdir(), 'gantry-cgroup-root-'));
    t.teardown(() => rm(root, { recursive: true }));
    if (file === undefined) {
      await mkdir(path.join(root, 'memory'));
      await writeFile(path.join(root, 'memory/memory.limit_in_bytes'), '');
    } else await writeFile(path.join(root, 'cgroup.controllers'), file);
    const { cgroupVersion, limits } = await readHostFacts(root);
    t.is(cgroupVersion, version);
    t.is(limits.memory, file !== '');
    t.false(limits.blkioWeight);
  });
}
