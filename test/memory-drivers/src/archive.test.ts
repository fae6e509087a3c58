import { archiveDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import { archive } from './index.js';

archiveDriverSuite(test, () => openDriver(archive));
