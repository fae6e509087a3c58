import test from 'ava';
import { leftMounts } from './left-mounts.js';

const line = (target: string) => `36 35 98:0 / ${target} rw,noatime master:1 - tmpfs tmpfs rw`;

test('mounts of drivers that are not running are listed, and not removed', async (t) => {
  const mounts = [
    '/data/drivers/volume-nfs/my\\040data/_data',
    '/data/drivers/volume-local/x/_data',
    '/run/drivers/volume-nfs/y',
    '/elsewhere/drivers/volume-nfs/z',
  ];
  const roots = { dataRoot: '/data', execRoot: '/run' };
  const left = leftMounts(mounts.map(line).join('\n'), roots, ['volume/local']);
  t.deepEqual(
    left.map(({ name }) => name),
    ['/data/drivers/volume-nfs/my data/_data', '/run/drivers/volume-nfs/y'],
  );
  t.like(left[0], {
    what: 'mount',
    isQuarantined: true,
    reason: 'mounted by the driver volume-nfs, which is not running',
  });
  await t.throwsAsync(async () => left[0]?.remove(), { message: /^unmount it with "umount / });
});
