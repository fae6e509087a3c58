import { clusterStoreDriverSuite, openDriver } from '@gantry/conformance';
import test from 'ava';
import etcd from './index.js';

clusterStoreDriverSuite(test, () => openDriver(etcd), { concurrency: 2 });
