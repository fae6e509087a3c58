import type { OciLinux } from '@gantry/core/contracts';
import { conflict } from '@gantry/core/errors';
import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import type { HostConfig } from '../schema.js';

type Namespace = OciLinux['namespaces'][number];

interface NamespaceSources {
  /** Undefined: the host's own network stack. */
  readonly networkNamespace: string | undefined;
  /** Undefined: the host's own. */
  readonly userNamespace: string | undefined;
  readonly containers: ContainerLookup;
  readonly cgroupVersion: 1 | 2;
}

/**
 * The namespaces of a container: its own, the host's (left out), or another container's.
 * @throws EngineError `conflict` when that other container does not run.
 */
export function containerNamespaces(
  record: ContainerRecord,
  { networkNamespace, userNamespace, containers, cgroupVersion }: NamespaceSources,
): readonly Namespace[] {
  const { hostConfig } = record;
  const joinable = (type: 'pid' | 'ipc', mode: string | undefined): readonly Namespace[] => {
    if (mode === 'host') return [];
    const other = joinedContainer(mode);
    return [other === undefined ? { type } : { type, path: `/proc/${pidOf(type, other, containers)}/ns/${type}` }];
  };
  return [
    ...(userNamespace === undefined ? [] : [{ type: 'user', path: userNamespace } as const]),
    { type: 'mount' },
    ...(networkNamespace === undefined ? [] : [{ type: 'network', path: networkNamespace } as const]),
    ...joinable('pid', hostConfig.PidMode),
    ...joinable('ipc', hostConfig.IpcMode),
    ...(hostConfig.UTSMode === 'host' ? [] : [{ type: 'uts' } as const]),
    ...(cgroupNamespaceMode(hostConfig, cgroupVersion) === 'host' ? [] : [{ type: 'cgroup' } as const]),
  ];
}

function pidOf(type: string, reference: string, containers: ContainerLookup): number {
  const { id, state } = containers.get(reference);
  if (state.status === 'running' || state.status === 'paused') return state.pid;
  throw conflict(`cannot join ${type.toUpperCase()} of a non running container: ${id}`);
}

/** The mode by default: on version 2 a container sees its own cgroup as the root, on version 1 the paths of the host. */
export const cgroupNamespaceMode = (
  { CgroupnsMode: mode }: Pick<HostConfig, 'CgroupnsMode'>,
  cgroupVersion: 1 | 2,
): 'host' | 'private' => {
  if (mode === 'host' || mode === 'private') return mode;
  return cgroupVersion === 2 ? 'private' : 'host';
};
