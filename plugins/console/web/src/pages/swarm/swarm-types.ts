interface Version {
  readonly Index: number;
}

/** What `GET /info` says of the swarm. */
export interface SwarmInfo {
  readonly NodeID: string;
  readonly LocalNodeState: string;
  readonly ControlAvailable: boolean;
  readonly Error: string;
  readonly Managers?: number;
  readonly Nodes?: number;
}

export interface Swarm {
  readonly ID: string;
  readonly CreatedAt: string;
  readonly Version: Version;
  readonly JoinTokens: { readonly Worker: string; readonly Manager: string };
  readonly Spec: { readonly EncryptionConfig?: { readonly AutoLockManagers: boolean } };
}

export interface NodeSpec {
  readonly Name?: string;
  readonly Role: string;
  readonly Availability: string;
  readonly Labels?: Readonly<Record<string, string>>;
}

export interface SwarmNode {
  readonly ID: string;
  readonly Version: Version;
  readonly Spec: NodeSpec;
  readonly Description: {
    readonly Hostname: string;
    readonly Engine: { readonly EngineVersion: string };
    readonly Resources: { readonly NanoCPUs: number; readonly MemoryBytes: number };
  };
  readonly Status: { readonly State: string; readonly Addr: string; readonly Message?: string };
  readonly ManagerStatus?: { readonly Leader?: boolean; readonly Reachability: string; readonly Addr: string };
}

export interface UpdateConfig {
  /** How many tasks are replaced at once; all for 0. */
  readonly Parallelism: number;
  /** Nanoseconds from one step to the next. */
  readonly Delay?: number;
}

export interface ServiceSpec {
  readonly Name: string;
  readonly Labels?: Readonly<Record<string, string>>;
  readonly TaskTemplate: {
    readonly ContainerSpec?: { readonly Image: string; readonly Env?: readonly string[]; readonly TTY?: boolean };
    readonly ForceUpdate?: number;
  };
  readonly UpdateConfig?: UpdateConfig;
  readonly Mode: {
    readonly Replicated?: { readonly Replicas: number };
    readonly Global?: object;
    readonly ReplicatedJob?: object;
    readonly GlobalJob?: object;
  };
}

export interface ServicePort {
  readonly Protocol: string;
  readonly TargetPort: number;
  readonly PublishedPort?: number;
}

export interface Service {
  readonly ID: string;
  readonly Version: Version;
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: ServiceSpec;
  readonly PreviousSpec?: ServiceSpec;
  readonly Endpoint: { readonly Ports?: readonly ServicePort[] };
  readonly UpdateStatus?: { readonly State: string; readonly Message: string };
  readonly ServiceStatus?: { readonly RunningTasks: number; readonly DesiredTasks: number };
}

export interface Task {
  readonly ID: string;
  readonly ServiceID: string;
  readonly NodeID?: string;
  readonly Slot?: number;
  readonly CreatedAt: string;
  readonly DesiredState: string;
  readonly Spec: { readonly ContainerSpec?: { readonly Image: string; readonly TTY?: boolean } };
  readonly Status: {
    readonly Timestamp: string;
    readonly State: string;
    readonly Message: string;
    readonly Err?: string;
    readonly ContainerStatus?: { readonly ContainerID: string };
  };
}

/** A secret or a config. */
export interface StoredItem {
  readonly ID: string;
  readonly CreatedAt: string;
  readonly UpdatedAt: string;
  readonly Spec: { readonly Name: string; readonly Labels?: Readonly<Record<string, string>> };
}
