export interface Info {
  readonly Name: string;
  readonly OperatingSystem: string;
  readonly KernelVersion: string;
  readonly Architecture: string;
  readonly NCPU: number;
  readonly MemTotal: number;
  readonly DockerRootDir: string;
  readonly Driver: string;
  readonly LoggingDriver: string;
  readonly CgroupDriver: string;
  readonly CgroupVersion?: string;
  readonly DefaultRuntime: string;
  readonly Runtimes: Readonly<Record<string, unknown>> | null;
  readonly Plugins: Readonly<Record<'Volume' | 'Network' | 'Log', readonly string[] | null>>;
  readonly SecurityOptions: readonly string[] | null;
  readonly HttpProxy?: string;
  readonly ContainersRunning: number;
  readonly ContainersPaused: number;
  readonly ContainersStopped: number;
  readonly Images: number;
  readonly Warnings: readonly string[] | null;
}

export interface Version {
  readonly ApiVersion: string;
  readonly MinAPIVersion: string;
  readonly Components?: readonly { readonly Name: string; readonly Version: string }[];
}

/** What the console says of the daemon beside the API. */
export interface About {
  readonly version: string;
  readonly addresses: readonly string[];
  readonly warnings: readonly string[];
  readonly units: readonly {
    readonly name: string;
    readonly package: string;
    readonly version: string;
    readonly state: string;
    readonly reason?: string;
    readonly isDefault?: boolean;
  }[];
}
