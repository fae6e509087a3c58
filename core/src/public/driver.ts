export { compactHeap } from '../kernel/compact-heap.js';
export {
  type Created,
  type DriverContext,
  type DriverDefinition,
  type DriverLifecycle,
  defineDriver,
  PackageDirectories,
  type Services,
} from '../kernel/driver.js';
export {
  type DriverOrigin,
  type DriverPoint,
  type DriverSet,
  driverPoint,
  type ServicePoint,
  servicePoint,
} from '../kernel/driver-point.js';
export { createDriver, type DriverEnvironment } from '../kernel/injection/create-driver.js';
export { diskLanes, Lanes } from '../kernel/lanes.js';
export type { Leftover } from '../kernel/leftover.js';
export { Lifetime, type Release } from '../kernel/lifetime.js';
export { type LogFacts, Logger, silentLogger } from '../kernel/logger.js';
export { SerialByKey } from '../kernel/serial-by-key.js';
export { unlessAborted } from '../kernel/unless-aborted.js';
export * from './injection.js';
