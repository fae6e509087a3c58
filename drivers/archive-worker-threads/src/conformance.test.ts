import { archiveDriverSuite, openDriver, withService } from '@gantry/conformance';
import { Launcher, SpawnLauncher } from '@gantry/lib-linux/launcher';
import test from 'ava';
import archive from './index.js';

archiveDriverSuite(test, () => openDriver(archive, { services: [withService(Launcher, new SpawnLauncher())] }));
