import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { checkPropagation } from './check-propagation.js';
import { parseMounts } from './host-mounts.js';

const mount = (...args: readonly string[]) => execFileSync('mount', [...args]);

test('a bind that is to share needs a host mount that shares', async (t) => {
  const place = mkdtempSync(path.join(tmpdir(), 'propagation-'));
  const inside = path.join(place, 'inside');
  mount('-t', 'tmpfs', 'propagation', place);
  t.teardown(() => {
    execFileSync('umount', [place]);
    rmSync(place, { recursive: true });
  });
  mkdirSync(inside);
  mount('--make-private', place);
  for (const mode of ['rprivate', 'private', '']) await t.notThrowsAsync(checkPropagation(inside, mode));
  await t.throwsAsync(checkPropagation(inside, 'rshared'), {
    message: `path ${inside} is mounted on ${place} but it is not a shared mount`,
  });
  await t.throwsAsync(checkPropagation(inside, 'slave'), {
    message: `path ${inside} is mounted on ${place} but it is not a shared or slave mount`,
  });
  mount('--make-shared', place);
  for (const mode of ['rshared', 'shared', 'rslave', 'slave']) {
    await t.notThrowsAsync(checkPropagation(inside, mode), mode);
  }
});

test('the table of mounts is read with what is escaped in it', (t) => {
  t.deepEqual(parseMounts('36 35 98:0 / /a\\040b ro,nosuid,noatime shared:1 master:2 - ext4 /dev/sda rw\n'), [
    { target: '/a b', isShared: true, isSlave: true, forbids: ['ro', 'nosuid'] },
  ]);
});
