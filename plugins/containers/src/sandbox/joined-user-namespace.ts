import { conflict } from '@gantry/core/errors';
import type { ContainerLookup } from '../container-lookup.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from './joined-container.js';

/** The running container whose user namespace another one is in. */
interface NamespaceOwner {
  readonly id: string;
  readonly pid: number;
}

const fields = ['NetworkMode', 'PidMode', 'IpcMode'] as const;

/**
 * The container in whose user namespace one that joins namespaces of others has to be: only there has its root any
 * rights over what it joins. Undefined for one that joins nothing, and so is in a user namespace of its own.
 * @throws EngineError `conflict` for one that does not run, for one in the host's user namespace, and where two are in
 * different ones.
 */
export function joinedUserNamespace(record: ContainerRecord, containers: ContainerLookup): NamespaceOwner | undefined {
  let found: (NamespaceOwner & { readonly field: string }) | undefined;
  for (const field of fields) {
    const reference = joinedContainer(record.hostConfig[field]);
    if (reference === undefined) continue;
    const owner = ownerOf(field, containers.get(reference), containers);
    if (found !== undefined && found.id !== owner.id) {
      throw conflict(
        `${field}: cannot join container ${owner.id} together with container ${found.id} of ${found.field}: their user namespaces differ`,
      );
    }
    found = { ...owner, field };
  }
  return found;
}

function ownerOf(field: string, other: ContainerRecord, containers: ContainerLookup): NamespaceOwner {
  const { id, state, hostConfig } = other;
  if (state.status !== 'running' && state.status !== 'paused') {
    throw conflict(`cannot join ${nouns[field] ?? field} of a non running container: ${id}`);
  }
  if (hostConfig.UsernsMode === 'host') {
    throw conflict(
      `${field}: cannot join container ${id}, which is in the host's user namespace; add UsernsMode: host`,
    );
  }
  return joinedUserNamespace(other, containers) ?? { id, pid: state.pid };
}

const nouns: Readonly<Record<string, string>> = { NetworkMode: 'network', PidMode: 'PID', IpcMode: 'IPC' };
