/** What the suite reads of the API's answers. */
export interface ContainerSummary {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly State: string;
  readonly Labels: Readonly<Record<string, string>>;
}

export interface ContainerDetails {
  readonly Id: string;
  readonly Name: string;
  readonly Created: string;
  readonly RestartCount: number;
  readonly State: {
    readonly Status: string;
    readonly Running: boolean;
    readonly ExitCode: number;
    readonly Pid: number;
    readonly StartedAt: string;
    readonly FinishedAt: string;
  };
  readonly HostConfig: { readonly Memory: number; readonly RestartPolicy: { readonly Name: string } };
  readonly Mounts: readonly { readonly Destination: string; readonly Name?: string }[];
  readonly NetworkSettings: {
    readonly Ports: Readonly<Record<string, readonly { readonly HostPort: string }[]>>;
    readonly Networks: Readonly<Record<string, unknown>>;
  };
}

export interface ImageSummary {
  readonly Id: string;
  readonly RepoTags?: readonly string[];
  readonly RepoDigests?: readonly string[];
}

export interface VolumeList {
  readonly Volumes: readonly { readonly Name: string; readonly Driver: string }[] | null;
}

export interface NetworkDetails {
  readonly Id: string;
  readonly Name: string;
  readonly Driver: string;
  readonly Containers: Readonly<Record<string, { readonly Name: string }>>;
}

export interface PluginSummary {
  readonly Name: string;
  readonly Active: boolean;
}

export interface SwarmDetails {
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly CAConfig: { readonly ForceRotate?: number } };
  readonly RootRotationInProgress: boolean;
}

export interface ServiceSummary {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: {
    readonly Name: string;
    readonly Mode: { readonly Replicated?: { readonly Replicas: number } };
    readonly TaskTemplate: { readonly ContainerSpec: { readonly Env?: readonly string[] } };
  };
}

export interface TaskSummary {
  readonly ID: string;
  readonly Slot: number;
  readonly DesiredState: string;
  readonly Status: { readonly State: string; readonly ContainerStatus?: { readonly ContainerID: string } };
  readonly Spec: { readonly ContainerSpec: { readonly Env?: readonly string[] } };
}

export interface Created {
  readonly Id: string;
}
