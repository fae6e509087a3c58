export { type HostileArchive, hostileArchives } from './archive/hostile-archives.js';
export { archiveDriverSuite } from './archive.js';
export { certificateAuthorityDriverSuite } from './certificate-authority.js';
export { clusterStoreDriverSuite } from './cluster-store.js';
export { freshDirectory, removeDirectory } from './directories.js';
export { aborts, atOnce, rejects, throws, until } from './expectations.js';
export { ipamDriverSuite } from './ipam.js';
export type { LeakProbe } from './leaks.js';
export { type LoadBalancerSuiteOptions, loadBalancerDriverSuite } from './load-balancer.js';
export { batchOf as logBatchOf, containerOf as logContainerOf, type Line as LogLine } from './log/lines.js';
export { logDriverSuite } from './log.js';
export { type NetworkSuiteOptions, networkDriverSuite } from './network.js';
export { type Opened, type OpenOptions, openDriver, type Releasable, type ReopenOptions } from './open-driver.js';
export { parseConfig } from './parse-config.js';
export { type RuntimeSuiteOptions, runtimeDriverSuite } from './runtime.js';
export { sandboxDriverSuite } from './sandbox.js';
export { driverSet, type Provided, withDrivers, withService } from './services.js';
export { sourceDriverSuite } from './source/source-driver-suite.js';
export type { SourceFixture } from './source/source-fixture.js';
export type { SourceSuiteOptions } from './source/source-suite-options.js';
export { stateDriverSuite } from './state.js';
export { storageDriverSuite } from './storage.js';
export {
  type Check,
  type DriverSuite,
  defineSuite,
  type Group,
  type Open,
  type Suite,
  type SuiteOptions,
} from './suite.js';
export type { Assertions, TestBody, TestInterface } from './test-interface.js';
export { type VolumeSuiteOptions, volumeDriverSuite } from './volume.js';
