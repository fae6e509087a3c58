import type { DriverOrigin, LogFacts } from '@gantry/core/driver';
import type { LogLevel, PumpLimits, PumpTask } from '../pump.js';

/** Messages to the worker thread. `call` numbers calls that are answered. */
export type ToWorker =
  | { readonly kind: 'prepare'; readonly driver: string; readonly origin: DriverOrigin }
  | { readonly kind: 'open'; readonly task: PumpTask; readonly origin: DriverOrigin }
  | { readonly kind: 'finish'; readonly id: string }
  | { readonly kind: 'idle' }
  | { readonly kind: 'caughtUp' | 'drop' | 'release'; readonly id: string; readonly call: number }
  | { readonly kind: 'close'; readonly call: number }
  | { readonly kind: 'rotated'; readonly call: number; readonly path?: string; readonly error?: string };

/** Messages from the worker thread. */
export type FromWorker =
  | { readonly kind: 'done'; readonly call: number }
  | { readonly kind: 'rotate'; readonly id: string; readonly call: number }
  | { readonly kind: 'report'; readonly id: string; readonly event: string; readonly reason: string }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly facts: LogFacts; readonly words: string };

export interface WorkerSettings {
  readonly limits: PumpLimits;
}
