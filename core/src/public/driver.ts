export { abortable } from '../concurrency/abortable.js';
export { Clock, nanosOf, rfc3339, SystemClock, zeroTime } from '../concurrency/clock.js';
export {
  type DeadlineOptions,
  type SettlesWithinOptions,
  settlesWithin,
  withDeadline,
} from '../concurrency/deadline.js';
export { diskSemaphore } from '../concurrency/disk-semaphore.js';
export { KeyedMutex } from '../concurrency/keyed-mutex.js';
export { linkedSignal } from '../concurrency/linked-signal.js';
export { Mutex } from '../concurrency/mutex.js';
export { type AcquireOptions, Semaphore } from '../concurrency/semaphore.js';
export { systemTimer, type Timer } from '../concurrency/timer.js';
export { untilAborted } from '../concurrency/until-aborted.js';
export { pathExists } from '../files/path-exists.js';
export { PreparedRoot } from '../files/prepared-root.js';
export { type ReplaceFileOptions, replaceFile } from '../files/replace-file.js';
export { type WritableFile, writeFileAtomically } from '../files/write-file-atomically.js';
export {
  type Created,
  type DriverContext,
  type DriverDefinition,
  defineDriver,
  PackageDirectories,
} from '../kernel/definitions/driver.js';
export type {
  CommandOutput,
  DriverLifecycle,
  OfflineCommand,
  OfflineContext,
  OperatorCommand,
  ReplacedDriver,
} from '../kernel/hooks/driver-lifecycle.js';
export type { DriverUse } from '../kernel/hooks/driver-use.js';
export { EngineSettings } from '../kernel/hooks/engine-settings.js';
export { type MeasuredValue, type Measurement, PackageMeasurements } from '../kernel/hooks/measurement.js';
export { type Orphan, PackageOrphans } from '../kernel/hooks/orphan.js';
export { WorkCounter } from '../kernel/hooks/work-counter.js';
export { Lifetime, type Release } from '../kernel/lifetime/lifetime.js';
export { type LogFacts, Logger, silentLogger } from '../kernel/logging/logger.js';
export { RecentLog } from '../kernel/logging/recent-log.js';
export { serializeError } from '../kernel/logging/serialize-error.js';
export { asOneCall } from '../kernel/points/driver-handle.js';
export {
  type CapabilityOf,
  type DriverOrigin,
  type DriverPoint,
  type DriverPointOptions,
  type DriverSet,
  driverPoint,
  type FallbackOptions,
  type FindService,
  type OwnMethod,
  type RequiredMethod,
  type ServicePoint,
  servicePoint,
  type Takeover,
  type UnavailableDriver,
} from '../kernel/points/driver-point.js';
export {
  type CreatedDriver,
  createDriver,
  type DriverEnvironment,
  type RequirementLookup,
} from '../kernel/units/create-driver.js';
export { PackageStatuses, type UnitStatus } from '../kernel/units/unit-statuses.js';
export { trimHeap } from '../process/trim-heap.js';
export { importModule } from '../supply/supply-core.js';
export { isRecord } from '../values/is-record.js';
export { oneOf } from '../values/one-of.js';
export * from './injection.js';
