import type { PortConfig, ServiceSpec } from '../spec/service-spec.js';

/** A service as stored. Fields have the API's names where it has them, and times are RFC 3339. */
export interface ServiceRecord {
  readonly ID: string;
  readonly Spec: ServiceSpec;
  /** What a rollback restores. */
  readonly Previous?: PreviousService;
  /** The registry credentials of the client, sealed. */
  readonly Credentials?: string;
  /** Another one when the task template or the ports change; tasks carry that of what they were made from. */
  readonly SpecVersion: number;
  /** The highest that was given; a rollback returns to a lower one. */
  readonly LatestSpecVersion: number;
  /** With published ports assigned. */
  readonly Ports: readonly PortConfig[];
  readonly VirtualIPs?: readonly { readonly NetworkID: string; readonly Addr: string }[];
  readonly UpdateStatus?: UpdateStatus;
  /** What the current update has done so far. */
  readonly Rollout?: Rollout;
  readonly JobStatus?: JobStatus;
}

export type PreviousService = Pick<ServiceRecord, 'Spec' | 'SpecVersion' | 'Ports' | 'Credentials'>;

type UpdateState = 'updating' | 'paused' | 'completed' | 'rollback_started' | 'rollback_paused' | 'rollback_completed';

export interface UpdateStatus {
  readonly State: UpdateState;
  readonly StartedAt: string;
  readonly CompletedAt?: string;
  readonly Message: string;
}

/** Counted in the store, so that a new leader goes on where the last one stopped. */
export interface Rollout {
  /** Slots that had to be updated when it began. */
  readonly slots: number;
  /** Slots in which an updated task ended within the monitoring period. */
  readonly failed: readonly string[];
  /** When the last slot was updated; undefined while there are more. */
  readonly updatedAt?: string;
}

interface JobStatus {
  readonly Iteration: number;
  readonly LastExecution: string;
}
