import type { RecordKind } from '@gantry/core/contracts';

/** Spec: the `Spec` of a swarm, as the API has it. */
export interface SwarmSpec {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Orchestration: { readonly TaskHistoryRetentionLimit: number };
  readonly Raft: {
    readonly SnapshotInterval: number;
    readonly KeepOldSnapshots: number;
    readonly LogEntriesForSlowFollowers: number;
    readonly ElectionTick: number;
    readonly HeartbeatTick: number;
  };
  readonly Dispatcher: { readonly HeartbeatPeriod: number };
  readonly CAConfig: {
    readonly NodeCertExpiry: number;
    readonly ExternalCAs?: readonly ExternalCa[];
    readonly ForceRotate?: number;
  };
  readonly TaskDefaults: {
    readonly LogDriver?: { readonly Name: string; readonly Options?: Readonly<Record<string, string>> };
  };
  readonly EncryptionConfig: { readonly AutoLockManagers: boolean };
}

interface ExternalCa {
  readonly Protocol: string;
  readonly URL: string;
  readonly Options?: Readonly<Record<string, string>>;
}

/** The one record of its kind: what holds for the whole swarm. */
export interface ClusterState {
  readonly spec: SwarmSpec;
  /** Sealed. */
  readonly joinTokens: { readonly worker: string; readonly manager: string };
  /** Sealed; the key that unlocks a manager whose swarm is locked automatically. */
  readonly unlockKey: string | undefined;
  readonly rootCa: {
    /** PEM. */
    readonly certificate: string;
    /** Sealed PEM. */
    readonly key: string;
    /** Base64 of DER. */
    readonly subject: string;
    /** Base64 of DER. */
    readonly publicKey: string;
  };
  readonly defaultAddressPools: readonly string[];
  readonly subnetSize: number;
  readonly dataPathPort: number;
}

export const clusters: RecordKind<ClusterState> = {
  name: 'cluster',
  version: 1,
  parse(value) {
    const state = value as ClusterState;
    if (typeof state.spec?.Name !== 'string') throw new Error('the swarm has no specification');
    return state;
  },
};
