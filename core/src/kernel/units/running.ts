import type { DriverLifecycle } from '../hooks/driver-lifecycle.js';
import type { Lifetime } from '../lifetime/lifetime.js';
import type { DriverHandle } from '../points/driver-handle.js';
import type { Unit } from './unit.js';

/** A unit that was started. */
export interface Running {
  readonly unit: Unit;
  readonly instance: object;
  readonly lifetime: Lifetime;
  readonly hooks: DriverLifecycle;
  readonly stopping: AbortController;
  /** The part of the configuration that the unit works by, parsed. */
  section: unknown;
  /** Stands for a driver whose kind can be replaced while the daemon runs. */
  handle?: DriverHandle;
  /** Takes a driver out of its set. */
  leaveSet?: () => void;
}
