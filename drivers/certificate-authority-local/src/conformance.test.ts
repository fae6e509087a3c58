import { certificateAuthorityDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import local from './index.js';

certificateAuthorityDriverSuite(test, () => openDriver(local), { concurrency: 4 });
