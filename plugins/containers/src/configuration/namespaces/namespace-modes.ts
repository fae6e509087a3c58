import { conflict, EngineError, invalidArgument } from '@gantry/core/errors';
import type { NetworkService } from '@gantry/networks/service';
import type { ContainerLookup } from '../../container-lookup.js';
import type { ContainerRecord } from '../../record.js';
import { joinedContainer } from '../../sandbox/joined-container.js';
import type { HostConfig } from '../../schema.js';
import { isAbsentContainer } from '../../validation/named-containers.js';

/** The namespaces of a container, with joined containers named by their ids. */
export interface Modes {
  readonly NetworkMode: string;
  readonly PidMode: string;
  readonly IpcMode: string;
  readonly UTSMode: string;
  readonly UsernsMode: string;
}

/**
 * Reads the five modes. @throws EngineError `invalid-argument`; `conflict` for a container that does not share its IPC.
 */
export function resolveModes(
  hostConfig: HostConfig | undefined,
  containers: ContainerLookup,
  networks: Pick<NetworkService, 'get'>,
): Modes {
  const { NetworkMode = '', PidMode = '', IpcMode = '', UTSMode = '', UsernsMode = '' } = hostConfig ?? {};
  const { CgroupnsMode = '' } = hostConfig ?? {};
  if (UTSMode !== '' && UTSMode !== 'host') throw invalidArgument(`UTSMode: invalid UTS mode: ${UTSMode}`);
  if (UsernsMode !== '' && UsernsMode !== 'host') {
    throw invalidArgument(`UsernsMode: invalid user namespace mode: ${UsernsMode}`);
  }
  if (!['', 'host', 'private'].includes(CgroupnsMode)) {
    throw invalidArgument(`CgroupnsMode: invalid cgroup namespace mode: ${CgroupnsMode}`);
  }
  return {
    NetworkMode: joinedNetwork(NetworkMode, containers) ?? networkMode(NetworkMode, networks),
    PidMode: resolvePidMode(PidMode, containers),
    IpcMode: resolveIpcMode(IpcMode || (hostConfig === undefined ? 'private' : 'shareable'), containers),
    UTSMode,
    UsernsMode,
  };
}

/** The host's network named by its id is the mode `host`, with all checks of that mode. */
function networkMode(mode: string, networks: Pick<NetworkService, 'get'>): string {
  if (mode === '' || mode === 'default') return 'default';
  try {
    return networks.get(mode).hostStack ? 'host' : mode;
  } catch (error) {
    if (EngineError.is(error) && error.kind === 'not-found') return mode;
    throw error;
  }
}

/** `container:<id>` when the mode is to join a container. */
function joined(
  field: string,
  mode: string,
  containers: ContainerLookup,
  check: (other: ContainerRecord) => void = () => undefined,
): string | undefined {
  const reference = joinedContainer(mode);
  if (reference === undefined && mode !== 'container') return undefined;
  if (!reference) throw invalidArgument(`${field}: invalid container format container:<name|id>: "${mode}"`);
  const other = containers.get(reference);
  check(other);
  return `container:${other.id}`;
}

/** A container that is absent is reported by the start, as another one may have that name by then. */
function joinedNetwork(mode: string, containers: ContainerLookup): string | undefined {
  try {
    return joined('NetworkMode', mode, containers);
  } catch (error) {
    if (isAbsentContainer(error)) return mode;
    throw error;
  }
}

function resolvePidMode(mode: string, containers: ContainerLookup): string {
  const other = joined('PidMode', mode, containers);
  if (other !== undefined) return other;
  if (mode !== '' && mode !== 'host') throw invalidArgument(`PidMode: invalid PID mode: ${mode}`);
  return mode;
}

const ownIpcModes = ['private', 'shareable', 'host', 'none'];

function resolveIpcMode(mode: string, containers: ContainerLookup): string {
  const other = joined('IpcMode', mode, containers, checkShareable);
  if (other !== undefined) return other;
  if (!ownIpcModes.includes(mode)) throw invalidArgument(`IpcMode: invalid IPC mode: ${mode}`);
  return mode;
}

function checkShareable({ id, hostConfig }: ContainerRecord): void {
  if ((hostConfig.IpcMode ?? 'shareable') === 'shareable') return;
  throw conflict(
    `cannot join IPC of a container ${id}: non-shareable IPC (hint: use IpcMode:shareable for the donor container)`,
  );
}
