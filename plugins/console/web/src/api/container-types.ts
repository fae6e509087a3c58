export interface PortSummary {
  readonly IP?: string;
  readonly PrivatePort: number;
  readonly PublicPort?: number;
  readonly Type: string;
}

export interface EndpointSettings {
  readonly NetworkID: string;
  readonly IPAddress: string;
  readonly GlobalIPv6Address: string;
  readonly MacAddress: string;
  readonly Gateway: string;
  readonly Aliases?: readonly string[] | null;
}

export interface MountPoint {
  readonly Type: string;
  readonly Name?: string;
  readonly Source: string;
  readonly Destination: string;
  readonly Mode?: string;
  readonly RW: boolean;
}

export interface ContainerSummary {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Image: string;
  readonly ImageID: string;
  readonly Command: string;
  readonly Created: number;
  readonly State: string;
  readonly Status: string;
  readonly Ports: readonly PortSummary[];
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Mounts: readonly MountPoint[];
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, EndpointSettings>> } | null;
}

export interface ContainerState {
  readonly Status: string;
  readonly Running: boolean;
  readonly Paused: boolean;
  readonly Pid: number;
  readonly ExitCode: number;
  readonly Error: string;
  readonly OOMKilled: boolean;
  readonly StartedAt: string;
  readonly FinishedAt: string;
  readonly Health?: {
    readonly Status: string;
    readonly FailingStreak: number;
    readonly Log?: readonly { readonly Start: string; readonly ExitCode: number; readonly Output: string }[] | null;
  };
}

export interface ContainerDetails {
  readonly Id: string;
  readonly Name: string;
  readonly Created: string;
  readonly Image: string;
  readonly Path: string;
  readonly Args: readonly string[];
  readonly Driver: string;
  readonly Platform: string;
  readonly RestartCount: number;
  readonly State: ContainerState;
  readonly Mounts: readonly MountPoint[];
  readonly Config: {
    readonly Hostname: string;
    readonly User: string;
    readonly Image: string;
    readonly Tty: boolean;
    readonly OpenStdin: boolean;
    readonly Env: readonly string[] | null;
    readonly Cmd: readonly string[] | null;
    readonly Entrypoint: readonly string[] | null;
    readonly WorkingDir: string;
    readonly Labels: Readonly<Record<string, string>> | null;
    readonly StopSignal?: string;
  };
  readonly HostConfig: {
    readonly NetworkMode: string;
    readonly RestartPolicy: { readonly Name: string; readonly MaximumRetryCount: number };
    readonly AutoRemove: boolean;
    readonly Privileged: boolean;
    readonly ReadonlyRootfs: boolean;
    readonly Memory: number;
    readonly NanoCpus: number;
    readonly CpuShares: number;
    readonly PidsLimit?: number | null;
    readonly CapAdd: readonly string[] | null;
    readonly CapDrop: readonly string[] | null;
    readonly LogConfig: { readonly Type: string; readonly Config: Readonly<Record<string, string>> | null };
  };
  readonly NetworkSettings: {
    readonly Ports: Readonly<Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[] | null>>;
    readonly Networks: Readonly<Record<string, EndpointSettings>>;
  };
}

export const nameOf = (container: Pick<ContainerSummary, 'Id' | 'Names'>): string =>
  (container.Names[0] ?? container.Id.slice(0, 12)).replace(/^\//, '');
