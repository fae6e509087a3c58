import { ipamDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import { ipam } from './index.js';

ipamDriverSuite(test, () => openDriver(ipam));
