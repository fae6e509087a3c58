import type { OciLinux } from '@gantry/core/contracts';
import { conflict } from '@gantry/core/errors';
import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';

type Namespace = OciLinux['namespaces'][number];

/**
 * The namespaces of a container: its own, the host's (left out), or another container's.
 * @throws EngineError `conflict` when that other container does not run.
 */
export function containerNamespaces(
  record: ContainerRecord,
  networkNamespace: string | undefined,
  containers: ContainerLookup,
): readonly Namespace[] {
  const { hostConfig } = record;
  const joinable = (type: 'pid' | 'ipc', mode: string | undefined): readonly Namespace[] => {
    if (mode === 'host') return [];
    const other = joinedContainer(mode);
    return [other === undefined ? { type } : { type, path: `/proc/${pidOf(type, other, containers)}/ns/${type}` }];
  };
  return [
    { type: 'mount' },
    ...(networkNamespace === undefined ? [] : [{ type: 'network', path: networkNamespace } as const]),
    ...joinable('pid', hostConfig.PidMode),
    ...joinable('ipc', hostConfig.IpcMode),
    ...(hostConfig.UTSMode === 'host' ? [] : [{ type: 'uts' } as const]),
  ];
}

function pidOf(type: string, reference: string, containers: ContainerLookup): number {
  const { id, state } = containers.get(reference);
  if (state.status === 'running' || state.status === 'paused') return state.pid;
  throw conflict(`cannot join ${type.toUpperCase()} of a non running container: ${id}`);
}
