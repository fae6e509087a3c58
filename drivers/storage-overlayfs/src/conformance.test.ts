import archive from '@gantry/archive-worker-threads';
import { openDriver, storageDriverSuite, withDrivers, withService } from '@gantry/conformance';
import { ArchiveDrivers } from '@gantry/core/contracts';
import { Mounts, openKernelMounts } from '@gantry/lib-linux/mounts';
import test from 'ava';
import overlayfs from './index.js';

// One for all checks: to start its threads takes longer than most of them.
const archives = await openDriver(archive);
test.after.always(() => archives.release());

const services = [withDrivers(ArchiveDrivers, { [archives.id]: archives.driver })];
storageDriverSuite(test, () => openDriver(overlayfs, { services }));

const classic = withService(
  Mounts,
  openKernelMounts(() => false),
);
storageDriverSuite(test, () => openDriver(overlayfs, { services: [...services, classic] }), {
  label: 'mount options in one page',
});
