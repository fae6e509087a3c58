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

export interface ExternalCa {
  readonly Protocol: string;
  readonly URL: string;
  readonly Options?: Readonly<Record<string, string>>;
  /** PEM. */
  readonly CACert?: string;
}

/** The one record of its kind: what holds for the whole swarm. */
export interface ClusterState {
  readonly spec: SwarmSpec;
  /** Sealed. */
  readonly joinTokens: { readonly worker: string; readonly manager: string };
  /** Sealed; the key that unlocks a manager whose swarm is locked automatically. */
  readonly unlockKey: string | undefined;
  readonly rootCa: RootCa;
  readonly defaultAddressPools: readonly string[];
  readonly subnetSize: number;
  readonly dataPathPort: number;
}

/** A root certificate with its key, where the swarm has it. */
export interface SigningRoot {
  /** PEM. */
  readonly certificate: string;
  /** Sealed PEM; undefined: external authorities have it, and issue the certificates. */
  readonly key?: string;
  /** Base64 of DER. */
  readonly subject: string;
  /** Base64 of DER. */
  readonly publicKey: string;
}

/** The root that nodes trust. It issues certificates, too, unless it is being replaced. */
export interface RootCa extends SigningRoot {
  /** PEM: certificates that lead from this root to the one before, as long as there are nodes that trust only that. */
  readonly chain?: string;
  /** The root that takes the place of this one when every node has a certificate of it. */
  readonly next?: NextRoot;
  /** `CAConfig.ForceRotate` of the newest rotation. */
  readonly forcedRotation?: number;
}

interface NextRoot extends SigningRoot {
  /** PEM: certificates that lead from it to the root that nodes trust. */
  readonly chain: string;
}

/** The root that issues certificates at present. */
export const issuingRoot = ({ next, ...root }: RootCa): SigningRoot & { readonly chain?: string } => next ?? root;

export const clusters: RecordKind<ClusterState> = {
  name: 'cluster',
  version: 1,
  parse(value) {
    const state = value as ClusterState;
    if (typeof state.spec?.Name !== 'string') throw new Error('the swarm has no specification');
    return state;
  },
};
