import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { kernelQuotas } from './kernel-quotas.js';

test('a file system without project quotas is named with what they need', async (t) => {
  // procfs has none on any host.
  t.is(
    await kernelQuotas.unavailableReason('/proc'),
    '/proc is on proc without project quotas: they need Linux 5.14, and ext4 or XFS mounted with prjquota',
  );
});

test('a directory that has no project is not limited, and releasing it is no error', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-quotas-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await t.notThrowsAsync(kernelQuotas.release(directory));
  await t.notThrowsAsync(kernelQuotas.release(join(directory, 'absent')));
  await t.throwsAsync(kernelQuotas.limit('/proc', 2 ** 20));
});
