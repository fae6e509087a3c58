/** What was read of the host. Nothing in it is judged; what could not be read is undefined. */
export interface HostFacts {
  readonly kernel: KernelFacts;
  readonly cgroups: CgroupFacts;
  readonly storage: StorageFacts;
  readonly firewall: FirewallFacts;
  readonly clock: ClockFacts;
  readonly user: UserFacts;
  readonly programs: readonly ProgramFacts[];
}

export interface KernelFacts {
  /** `6.1.0-18-amd64` */
  readonly release: string;
  /** Options of the build that are `y` or `m`, without `CONFIG_`. */
  readonly options: ReadonlyMap<string, string> | undefined;
  readonly loadedModules: ReadonlySet<string>;
  /** Built in or installed: what the kernel can load by itself. */
  readonly installedModules: ReadonlySet<string> | undefined;
  readonly filesystems: ReadonlySet<string>;
  /** As in /proc/self/ns. */
  readonly namespaces: ReadonlySet<string>;
  readonly maxUserNamespaces: number | undefined;
  /** Actions of seccomp filters; empty without seccomp. */
  readonly seccompActions: readonly string[];
}

export interface CgroupFacts {
  readonly mode: 'v1' | 'hybrid' | 'v2' | 'none';
  readonly controllers: ReadonlySet<string>;
  /** systemd is the init system. */
  readonly systemd: boolean;
  /** As it is configured. */
  readonly driver: 'cgroupfs' | 'systemd' | undefined;
}

export interface StorageFacts {
  readonly dataRoot: string;
  /** It, or the nearest directory above it that is there. */
  readonly directory: string;
  readonly filesystem: string;
  readonly isReadOnly: boolean;
  readonly totalBytes: number;
  readonly availableBytes: number;
  /** 0 where the number of files is not limited. */
  readonly totalFiles: number;
  readonly freeFiles: number;
}

/** A chain of the packet filter that packets pass on their way through the host. */
export interface ForwardChain {
  readonly family: string;
  readonly table: string;
  readonly drops: boolean;
}

export interface FirewallFacts {
  /** Only root may read it. */
  readonly isReadable: boolean;
  /** Why the packet filter cannot be read. */
  readonly failure: string | undefined;
  /** Names behind their family: `inet gantry`. */
  readonly tables: readonly string[];
  /** Of the engine, by its configuration. */
  readonly ownTable: string;
  readonly forwardChains: readonly ForwardChain[];
  readonly firewalld: boolean;
  readonly ufw: boolean;
  /** Tables of the older interface of the kernel, whose rules nft does not show. */
  readonly legacyTables: readonly string[];
  readonly ipForward: boolean | undefined;
  /** Whether the engine switches forwarding on, by its configuration. */
  readonly setsForwarding: boolean;
}

export interface ClockFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When this code was built. */
  readonly builtAt: number;
  /** The newest time in the engine's own data. */
  readonly newestData: number | undefined;
  /** The kernel's own opinion. */
  readonly synchronized: boolean | undefined;
}

export interface UserFacts {
  readonly uid: number;
  readonly name: string;
  /** An ordinary user's engine, or an ordinary user who could have one. */
  readonly isOrdinary: boolean;
  /** Why the user may make no namespaces. */
  readonly namespacesRefused: string | undefined;
  /** What is wrong with the ids of the user in each file, in one line. */
  readonly idFailures: readonly string[];
  readonly runtimeDirectory: string | undefined;
  readonly canOpenTun: boolean;
  /** Programs that were found. */
  readonly programs: ReadonlySet<string>;
}

export interface ProgramFacts {
  readonly name: string;
  readonly path: string | undefined;
  /** `2.1.6`; undefined where it was not asked for, or the program does not say. */
  readonly version: string | undefined;
}
