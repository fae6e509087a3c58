/**
 * The parts of the OCI runtime specification's `config.json` (1.0.2) that the engine writes. Names, units and meanings
 * are that specification's; a runtime driver hands the object on unchanged.
 */
export interface OciSpec {
  readonly ociVersion: string;
  readonly process: OciProcess;
  readonly root: { readonly path: string; readonly readonly?: boolean };
  readonly hostname?: string;
  readonly domainname?: string;
  readonly mounts: readonly OciMount[];
  readonly hooks?: Readonly<Record<string, readonly OciHook[]>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly linux: OciLinux;
}

export interface OciProcess {
  readonly terminal?: boolean;
  readonly consoleSize?: { readonly height: number; readonly width: number };
  readonly user: {
    readonly uid: number;
    readonly gid: number;
    readonly umask?: number;
    readonly additionalGids?: readonly number[];
  };
  readonly args: readonly string[];
  readonly env?: readonly string[];
  readonly cwd: string;
  readonly capabilities?: OciCapabilities;
  readonly rlimits?: readonly { readonly type: string; readonly soft: number; readonly hard: number }[];
  readonly noNewPrivileges?: boolean;
  readonly apparmorProfile?: string;
  readonly oomScoreAdj?: number;
  readonly selinuxLabel?: string;
}

export interface OciCapabilities {
  readonly bounding?: readonly string[];
  readonly effective?: readonly string[];
  readonly inheritable?: readonly string[];
  readonly permitted?: readonly string[];
  readonly ambient?: readonly string[];
}

export interface OciMount {
  readonly destination: string;
  readonly type?: string;
  readonly source?: string;
  readonly options?: readonly string[];
}

export interface OciHook {
  readonly path: string;
  readonly args?: readonly string[];
  readonly env?: readonly string[];
  readonly timeout?: number;
}

export type OciNamespaceType = 'pid' | 'network' | 'mount' | 'ipc' | 'uts' | 'user' | 'cgroup';

export interface OciLinux {
  readonly namespaces: readonly { readonly type: OciNamespaceType; readonly path?: string }[];
  readonly uidMappings?: readonly OciIdMapping[];
  readonly gidMappings?: readonly OciIdMapping[];
  readonly devices?: readonly OciDevice[];
  readonly cgroupsPath?: string;
  readonly resources?: OciResources;
  readonly rootfsPropagation?: string;
  readonly seccomp?: OciSeccomp;
  readonly sysctl?: Readonly<Record<string, string>>;
  readonly maskedPaths?: readonly string[];
  readonly readonlyPaths?: readonly string[];
  readonly mountLabel?: string;
}

export interface OciIdMapping {
  readonly containerID: number;
  readonly hostID: number;
  readonly size: number;
}

export interface OciDevice {
  readonly type: 'c' | 'b' | 'u' | 'p';
  readonly path: string;
  readonly major?: number;
  readonly minor?: number;
  readonly fileMode?: number;
  readonly uid?: number;
  readonly gid?: number;
}

export interface OciSeccomp {
  readonly defaultAction: string;
  readonly defaultErrnoRet?: number;
  readonly architectures?: readonly string[];
  readonly flags?: readonly string[];
  readonly syscalls?: readonly {
    readonly names: readonly string[];
    readonly action: string;
    readonly errnoRet?: number;
    readonly args?: readonly {
      readonly index: number;
      readonly value: number;
      readonly valueTwo?: number;
      readonly op: string;
    }[];
  }[];
}

/** Also what an update of a running container takes. */
export interface OciResources {
  readonly devices?: readonly {
    readonly allow: boolean;
    readonly type?: string;
    readonly major?: number;
    readonly minor?: number;
    readonly access?: string;
  }[];
  readonly memory?: {
    readonly limit?: number;
    readonly reservation?: number;
    readonly swap?: number;
    readonly kernel?: number;
    readonly swappiness?: number;
    readonly disableOOMKiller?: boolean;
  };
  readonly cpu?: {
    readonly shares?: number;
    readonly quota?: number;
    readonly period?: number;
    readonly cpus?: string;
    readonly mems?: string;
  };
  readonly pids?: { readonly limit: number };
  readonly blockIO?: {
    readonly weight?: number;
    readonly weightDevice?: readonly { readonly major: number; readonly minor: number; readonly weight: number }[];
    readonly throttleReadBpsDevice?: readonly OciThrottle[];
    readonly throttleWriteBpsDevice?: readonly OciThrottle[];
    readonly throttleReadIOPSDevice?: readonly OciThrottle[];
    readonly throttleWriteIOPSDevice?: readonly OciThrottle[];
  };
}

export interface OciThrottle {
  readonly major: number;
  readonly minor: number;
  readonly rate: number;
}
