// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type DiskUsage = {
  readonly LayersSize: number;
  readonly Images: readonly Readonly<Record<string, unknown>>[] | null;
  readonly Containers: readonly Readonly<Record<string, unknown>>[] | null;
  readonly Volumes: readonly Readonly<Record<string, unknown>>[] | null;
  readonly BuildCache: readonly Readonly<Record<string, unknown>>[] | null;
};

export type SystemInfo = {
  readonly ID: string;
  readonly Name: string;
  readonly ServerVersion: string;
  readonly Architecture: string;
  readonly OSType: string;
  readonly OperatingSystem: string;
  readonly OSVersion: string;
  readonly KernelVersion: string;
  readonly NCPU: number;
  readonly MemTotal: number;
  readonly SystemTime: string;
  readonly Containers: number;
  readonly ContainersRunning: number;
  readonly ContainersPaused: number;
  readonly ContainersStopped: number;
  readonly Images: number;
  readonly Driver: string;
  readonly DriverStatus: readonly (readonly string[])[] | null;
  readonly Plugins: {
    readonly Volume: readonly string[];
    readonly Network: readonly string[];
    readonly Authorization: readonly string[] | null;
    readonly Log: readonly string[];
  };
  readonly LoggingDriver: string;
  readonly CgroupDriver: string;
  readonly CgroupVersion: string;
  readonly DefaultRuntime: string;
  readonly Runtimes: Readonly<Record<string, unknown>>;
  readonly SecurityOptions: readonly string[] | null;
  readonly Labels: readonly string[] | null;
  readonly Debug: boolean;
  readonly ExperimentalBuild: boolean;
  readonly LiveRestoreEnabled: boolean;
  readonly Swarm: Readonly<Record<string, unknown>>;
  readonly Warnings: readonly string[] | null;
};

export type SystemVersion = {
  readonly Platform: {
    readonly Name: string;
  };
  readonly Components: readonly {
    readonly Name: string;
    readonly Version: string;
    readonly Details?: Readonly<Record<string, string>> | undefined;
  }[];
  readonly Version: string;
  readonly ApiVersion: string;
  readonly MinAPIVersion: string;
  readonly GitCommit: string;
  readonly GoVersion: string;
  readonly Os: string;
  readonly Arch: string;
  readonly KernelVersion: string;
  readonly BuildTime: string;
};

export interface SystemRoutes {
  /** Answers OK; headers say which version of the API there is. */
  'GET /_ping': {
    readonly options: {  };
    readonly bytes: 'text';
  };
  /** Describes engine and host. */
  'GET /info': {
    readonly options: {  };
    readonly answer: SystemInfo;
  };
  /** Measures what is on the disk. */
  'GET /system/df': {
    readonly options: { readonly query?: { readonly type?: readonly string[] | undefined; }; };
    readonly answer: DiskUsage;
  };
  /** Says which versions there are. */
  'GET /version': {
    readonly options: {  };
    readonly answer: SystemVersion;
  };
}
