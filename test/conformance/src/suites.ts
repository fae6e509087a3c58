import { archiveDriverSuite } from './archive.js';
import { certificateAuthorityDriverSuite } from './certificate-authority.js';
import { clusterStoreDriverSuite } from './cluster-store.js';
import { ipamDriverSuite } from './ipam.js';
import { loadBalancerDriverSuite } from './load-balancer.js';
import { logDriverSuite } from './log.js';
import { networkDriverSuite } from './network.js';
import { runtimeDriverSuite } from './runtime.js';
import { sandboxDriverSuite } from './sandbox.js';
import { sourceDriverSuite } from './source/source-driver-suite.js';
import { stateDriverSuite } from './state.js';
import { storageDriverSuite } from './storage.js';
import type { DriverSuite } from './suite.js';
import { volumeDriverSuite } from './volume.js';

/** Every suite by its kind, for those who only have a manifest. */
export const suites: ReadonlyMap<string, DriverSuite<unknown>> = new Map(
  [
    stateDriverSuite,
    storageDriverSuite,
    runtimeDriverSuite,
    sandboxDriverSuite,
    networkDriverSuite,
    ipamDriverSuite,
    volumeDriverSuite,
    logDriverSuite,
    sourceDriverSuite,
    archiveDriverSuite,
    clusterStoreDriverSuite,
    certificateAuthorityDriverSuite,
    loadBalancerDriverSuite,
  ].map((suite) => [suite.kind, suite as unknown as DriverSuite<unknown>]),
);
