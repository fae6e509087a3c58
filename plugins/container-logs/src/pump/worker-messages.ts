import type { DriverOrigin } from '@gantry/core/driver';
import type { PumpLimits, PumpTask } from './pump.js';

/** What the engine tells the worker thread. `call` numbers calls that get an answer. */
export type ToWorker =
  | { readonly kind: 'prepare'; readonly driver: string; readonly origin: DriverOrigin }
  | { readonly kind: 'open'; readonly task: PumpTask; readonly origin: DriverOrigin }
  | { readonly kind: 'finish'; readonly id: string }
  | { readonly kind: 'rest' }
  | { readonly kind: 'caughtUp' | 'drop'; readonly id: string; readonly call: number }
  | { readonly kind: 'close'; readonly call: number }
  | { readonly kind: 'rotated'; readonly call: number; readonly path?: string; readonly error?: string };

/** What the worker thread tells the engine. */
export type FromWorker =
  | { readonly kind: 'done'; readonly call: number }
  | { readonly kind: 'rotate'; readonly id: string; readonly call: number }
  | { readonly kind: 'report'; readonly id: string; readonly event: string; readonly reason: string };

export interface WorkerSettings {
  readonly limits: PumpLimits;
}
