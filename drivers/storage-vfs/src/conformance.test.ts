import archive from '@gantry/archive-worker-threads';
import { openDriver, storageDriverSuite, withDrivers } from '@gantry/conformance';
import { ArchiveDrivers } from '@gantry/core/contracts';
import test from 'ava';
import vfs from './index.js';

// One for all checks: to start its threads takes longer than most of them.
const archives = await openDriver(archive);
test.after.always(() => archives.release());

const services = [withDrivers(ArchiveDrivers, { [archives.id]: archives.driver })];
storageDriverSuite(test, () => openDriver(vfs, { services }));
