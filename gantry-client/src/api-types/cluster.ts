// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type NodeDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: NodeSpec;
  readonly Description: {
    readonly Hostname: string;
    readonly Platform: {
      readonly Architecture: string;
      readonly OS: string;
    };
    readonly Resources: {
      readonly NanoCPUs: number;
      readonly MemoryBytes: number;
      readonly GenericResources?: readonly {
        readonly NamedResourceSpec?: {
          readonly Kind: string;
          readonly Value: string;
        } | undefined;
        readonly DiscreteResourceSpec?: {
          readonly Kind: string;
          readonly Value: number;
        } | undefined;
      }[] | undefined;
    };
    readonly Engine: {
      readonly EngineVersion: string;
      readonly Labels: Readonly<Record<string, string>>;
      readonly Plugins: readonly {
        readonly Type: string;
        readonly Name: string;
      }[];
    };
    readonly TLSInfo?: {
      readonly TrustRoot: string;
      readonly CertIssuerSubject: string;
      readonly CertIssuerPublicKey: string;
    } | undefined;
  };
  readonly Status: {
    readonly State: string;
    readonly Message?: string | undefined;
    readonly Addr: string;
  };
  readonly ManagerStatus?: {
    readonly Leader?: boolean | undefined;
    readonly Reachability: string;
    readonly Addr: string;
  } | undefined;
};

export type NodeSpec = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly Role?: string | undefined;
  readonly Availability?: string | undefined;
};

export type ObjectCreated = {
  readonly ID: string;
};

export type SealedDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: SealedSpec;
};

export type SealedSpec = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly Data?: string | undefined;
  readonly Driver?: {
    readonly Name?: string | undefined;
    readonly Options?: Readonly<Record<string, string>> | undefined;
  } | undefined;
  readonly Templating?: {
    readonly Name?: string | undefined;
    readonly Options?: Readonly<Record<string, string>> | undefined;
  } | undefined;
};

export type SwarmDetails = {
  readonly ID: string;
  readonly Version: {
    readonly Index: number;
  };
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: SwarmSpec;
  readonly TLSInfo: {
    readonly TrustRoot: string;
    readonly CertIssuerSubject: string;
    readonly CertIssuerPublicKey: string;
  };
  readonly RootRotationInProgress: boolean;
  readonly DataPathPort: number;
  readonly DefaultAddrPool: readonly string[];
  readonly SubnetSize: number;
  readonly JoinTokens: {
    readonly Worker: string;
    readonly Manager: string;
  };
};

export type SwarmInitBody = {
  readonly ListenAddr?: string | undefined;
  readonly AdvertiseAddr?: string | undefined;
  readonly DataPathAddr?: string | undefined;
  readonly DataPathPort?: number | undefined;
  readonly DefaultAddrPool?: readonly string[] | undefined;
  readonly SubnetSize?: number | undefined;
  readonly ForceNewCluster?: boolean | undefined;
  readonly Availability?: 'active' | 'pause' | 'drain' | '' | undefined;
  readonly Spec?: {
    readonly Name?: string | undefined;
    readonly Labels?: Readonly<Record<string, string>> | undefined;
    readonly Orchestration?: {
      readonly TaskHistoryRetentionLimit?: number | undefined;
    } | undefined;
    readonly Raft?: {
      readonly SnapshotInterval?: number | undefined;
      readonly KeepOldSnapshots?: number | undefined;
      readonly LogEntriesForSlowFollowers?: number | undefined;
      readonly ElectionTick?: number | undefined;
      readonly HeartbeatTick?: number | undefined;
    } | undefined;
    readonly Dispatcher?: {
      readonly HeartbeatPeriod?: number | undefined;
    } | undefined;
    readonly CAConfig?: {
      readonly NodeCertExpiry?: number | undefined;
      readonly ExternalCAs?: readonly {
        readonly Protocol?: string | undefined;
        readonly URL?: string | undefined;
        readonly Options?: Readonly<Record<string, string>> | undefined;
        readonly CACert?: string | undefined;
      }[] | undefined;
      readonly SigningCACert?: string | undefined;
      readonly SigningCAKey?: string | undefined;
      readonly ForceRotate?: number | undefined;
    } | undefined;
    readonly TaskDefaults?: {
      readonly LogDriver?: {
        readonly Name?: string | undefined;
        readonly Options?: Readonly<Record<string, string>> | undefined;
      } | undefined;
    } | undefined;
    readonly EncryptionConfig?: {
      readonly AutoLockManagers?: boolean | undefined;
    } | undefined;
  } | undefined;
};

export type SwarmJoinBody = {
  readonly ListenAddr?: string | undefined;
  readonly AdvertiseAddr?: string | undefined;
  readonly DataPathAddr?: string | undefined;
  readonly RemoteAddrs?: readonly string[] | undefined;
  readonly JoinToken?: string | undefined;
  readonly Availability?: 'active' | 'pause' | 'drain' | '' | undefined;
};

export type SwarmSpec = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly Orchestration?: {
    readonly TaskHistoryRetentionLimit?: number | undefined;
  } | undefined;
  readonly Raft?: {
    readonly SnapshotInterval?: number | undefined;
    readonly KeepOldSnapshots?: number | undefined;
    readonly LogEntriesForSlowFollowers?: number | undefined;
    readonly ElectionTick?: number | undefined;
    readonly HeartbeatTick?: number | undefined;
  } | undefined;
  readonly Dispatcher?: {
    readonly HeartbeatPeriod?: number | undefined;
  } | undefined;
  readonly CAConfig?: {
    readonly NodeCertExpiry?: number | undefined;
    readonly ExternalCAs?: readonly {
      readonly Protocol?: string | undefined;
      readonly URL?: string | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
      readonly CACert?: string | undefined;
    }[] | undefined;
    readonly SigningCACert?: string | undefined;
    readonly SigningCAKey?: string | undefined;
    readonly ForceRotate?: number | undefined;
  } | undefined;
  readonly TaskDefaults?: {
    readonly LogDriver?: {
      readonly Name?: string | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
    } | undefined;
  } | undefined;
  readonly EncryptionConfig?: {
    readonly AutoLockManagers?: boolean | undefined;
  } | undefined;
};

export type SwarmUnlockBody = {
  readonly UnlockKey: string;
};

export type SwarmUpdateBody = {
  readonly Name?: string | undefined;
  readonly Labels?: Readonly<Record<string, string>> | undefined;
  readonly Orchestration?: {
    readonly TaskHistoryRetentionLimit?: number | undefined;
  } | undefined;
  readonly Raft?: {
    readonly SnapshotInterval?: number | undefined;
    readonly KeepOldSnapshots?: number | undefined;
    readonly LogEntriesForSlowFollowers?: number | undefined;
    readonly ElectionTick?: number | undefined;
    readonly HeartbeatTick?: number | undefined;
  } | undefined;
  readonly Dispatcher?: {
    readonly HeartbeatPeriod?: number | undefined;
  } | undefined;
  readonly CAConfig?: {
    readonly NodeCertExpiry?: number | undefined;
    readonly ExternalCAs?: readonly {
      readonly Protocol?: string | undefined;
      readonly URL?: string | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
      readonly CACert?: string | undefined;
    }[] | undefined;
    readonly SigningCACert?: string | undefined;
    readonly SigningCAKey?: string | undefined;
    readonly ForceRotate?: number | undefined;
  } | undefined;
  readonly TaskDefaults?: {
    readonly LogDriver?: {
      readonly Name?: string | undefined;
      readonly Options?: Readonly<Record<string, string>> | undefined;
    } | undefined;
  } | undefined;
  readonly EncryptionConfig?: {
    readonly AutoLockManagers?: boolean | undefined;
  } | undefined;
  readonly JoinTokens?: {
    readonly Worker?: string | undefined;
    readonly Manager?: string | undefined;
  } | undefined;
};

export type UnlockKey = {
  readonly UnlockKey: string;
};

export interface ClusterRoutes {
  /** Lists configs. */
  'GET /configs': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly SealedDetails[];
  };
  /** Creates a config. */
  'POST /configs/create': {
    readonly options: { readonly body: SealedSpec; };
    readonly answer: ObjectCreated;
  };
  /** Describes a config. */
  'GET /configs/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: SealedDetails;
  };
  /** Deletes a config. */
  'DELETE /configs/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Changes the labels of a config. */
  'POST /configs/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly version: number; }; readonly body: SealedSpec; };
    readonly answer: undefined;
  };
  /** Lists nodes. */
  'GET /nodes': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly NodeDetails[];
  };
  /** Describes a node. */
  'GET /nodes/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: NodeDetails;
  };
  /** Removes a node. */
  'DELETE /nodes/{id}': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly force?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Changes a node. */
  'POST /nodes/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly version: number; }; readonly body: NodeSpec; };
    readonly answer: undefined;
  };
  /** Lists secrets. */
  'GET /secrets': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly SealedDetails[];
  };
  /** Creates a secret. */
  'POST /secrets/create': {
    readonly options: { readonly body: SealedSpec; };
    readonly answer: ObjectCreated;
  };
  /** Describes a secret. */
  'GET /secrets/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: SealedDetails;
  };
  /** Deletes a secret. */
  'DELETE /secrets/{id}': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: undefined;
  };
  /** Changes the labels of a secret. */
  'POST /secrets/{id}/update': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly version: number; }; readonly body: SealedSpec; };
    readonly answer: undefined;
  };
  /** Describes the swarm. */
  'GET /swarm': {
    readonly options: {  };
    readonly answer: SwarmDetails;
  };
  /** Begins a swarm; the answer is the id of this node. */
  'POST /swarm/init': {
    readonly options: { readonly body: SwarmInitBody; };
    readonly answer: string;
  };
  /** Joins a swarm. */
  'POST /swarm/join': {
    readonly options: { readonly body: SwarmJoinBody; };
    readonly answer: undefined;
  };
  /** Leaves the swarm. */
  'POST /swarm/leave': {
    readonly options: { readonly query?: { readonly force?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Unlocks this manager. */
  'POST /swarm/unlock': {
    readonly options: { readonly body: SwarmUnlockBody; };
    readonly answer: undefined;
  };
  /** Sends the key that unlocks managers. */
  'GET /swarm/unlockkey': {
    readonly options: {  };
    readonly answer: UnlockKey;
  };
  /** Changes the swarm. */
  'POST /swarm/update': {
    readonly options: { readonly query: { readonly version: number; readonly rotateWorkerToken?: boolean | undefined; readonly rotateManagerToken?: boolean | undefined; readonly rotateManagerUnlockKey?: boolean | undefined; }; readonly body: SwarmUpdateBody; };
    readonly answer: undefined;
  };
}
