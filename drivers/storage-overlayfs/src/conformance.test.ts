import archive from '@gantry/archive-worker-threads';
import { openDriver, storageDriverSuite, withService } from '@gantry/conformance';
import { Mounts, openKernelMounts } from '@gantry/lib-linux/mounts';
import test from 'ava';
import overlayfs from './index.js';

storageDriverSuite(test, () => openDriver(overlayfs, { requires: [archive] }));

const classic = withService(
  Mounts,
  openKernelMounts(() => false),
);
storageDriverSuite(test, () => openDriver(overlayfs, { requires: [archive], services: [classic] }), {
  label: 'mount options in one page',
});
