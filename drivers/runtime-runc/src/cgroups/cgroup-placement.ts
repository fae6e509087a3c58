import { basename } from 'node:path';
import { invalidArgument } from '@gantry/core/errors';
import { type CgroupDriver, cgroupsPathBelow, scopePrefix, slicePath } from '@gantry/lib-oci';

/** The cgroup of a task. */
export interface PlacedCgroup {
  /** As the runtime takes it. Undefined: the runtime is to create none. */
  readonly cgroupsPath: string | undefined;
  /** From the root of each hierarchy. Without cgroups a name only, which has no directories. */
  readonly path: string;
  /** What a spec says besides, for systemd. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Injects where the cgroups of tasks are. */
export const CgroupPlacement = Symbol('gantry.runtime-runc.cgroup-placement');

/** Where the cgroups of tasks are, and what creates them. */
export interface CgroupPlacement {
  readonly driver: CgroupDriver;
  /** Of tasks that name no cgroup. */
  readonly parent: string;
  /** Arguments of runtimes before the verb. */
  readonly runtimeArguments: readonly string[];
  /**
   * The cgroup is emptied and removed with the task, so it must be the task's own.
   * @throws EngineError `invalid-argument` for another.
   */
  place(id: string, cgroupsPath?: string): PlacedCgroup;
}

/** The cgroup that a `cgroupsPath` of either cgroup driver names, from the root of each hierarchy. */
export function cgroupOf(cgroupsPath: string): string | undefined {
  const [slice = '', prefix, name] = cgroupsPath.split(':');
  if (name === undefined) return cgroupsPath.startsWith('/') ? cgroupsPath : `/${cgroupsPath}`;
  const path = slicePath(slice);
  return path === undefined ? undefined : `${path}/${prefix}-${name}.scope`;
}

/** The runtime creates cgroups by the files of the hierarchy. */
export class FilePlacement implements CgroupPlacement {
  readonly driver = 'cgroupfs';
  readonly runtimeArguments = [];

  constructor(readonly parent: string) {}

  place(id: string, cgroupsPath = cgroupsPathBelow(this.parent, id, this.driver)): PlacedCgroup {
    const path = cgroupsPath.startsWith('/') ? cgroupsPath : `/${cgroupsPath}`;
    if (basename(path) !== id || path.split('/').includes('..')) {
      throw invalidArgument(`cgroupsPath: "${cgroupsPath}" does not end with the id of the task, ${id}`);
    }
    return { cgroupsPath: path, path, annotations: {} };
  }
}

/** systemd creates a scope in a slice for each task. */
export class ScopePlacement implements CgroupPlacement {
  readonly driver = 'systemd';
  readonly runtimeArguments = ['--systemd-cgroup'];

  constructor(readonly parent: string) {}

  place(id: string, cgroupsPath = cgroupsPathBelow(this.parent, id, this.driver)): PlacedCgroup {
    const path = cgroupOf(cgroupsPath);
    if (path === undefined || !cgroupsPath.endsWith(`.slice:${scopePrefix}:${id}`)) {
      throw invalidArgument(
        `cgroupsPath: "${cgroupsPath}" is not SLICE:${scopePrefix}:${id}, with a slice such as system.slice`,
      );
    }
    return { cgroupsPath, path, annotations: scopeAnnotations };
  }
}

/** Tasks have no cgroups: none was delegated to the user that the daemon runs as. */
export class NoPlacement implements CgroupPlacement {
  readonly driver = 'none';
  readonly parent = '/';
  readonly runtimeArguments = [];

  /** A parent is refused before: see `OfferedRuntimes`. */
  place(id: string): PlacedCgroup {
    return { cgroupsPath: undefined, path: `/${id}`, annotations: {} };
  }
}

const scopeAnnotations = {
  // crun would use a cgroup below that of the scope.
  'run.oci.systemd.subgroup': '',
  // After an OOM kill too the unit goes with the task.
  'org.systemd.property.CollectMode': "'inactive-or-failed'",
};
