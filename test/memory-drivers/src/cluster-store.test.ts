import { clusterStoreDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import { clusterStore } from './index.js';

clusterStoreDriverSuite(test, () => openDriver(clusterStore));
