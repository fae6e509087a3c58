import type { ContainerLookup } from '../../container-lookup.js';
import { joinedContainer } from '../../sandbox/joined-container.js';
import type { ContainerConfig } from '../../schema.js';
import { isAbsentContainer } from '../../validation/named-containers.js';
import type { Modes } from '../namespaces/namespace-modes.js';

/** The default host name: that of the namespace the container shares, or its own short id. */
export function hostIdentity(
  { Hostname = '', Domainname }: ContainerConfig,
  { NetworkMode, UTSMode }: Modes,
  create: { readonly id: string; readonly containers: ContainerLookup },
  hostname: string,
): Pick<ContainerConfig, 'Hostname' | 'Domainname'> {
  const config = joinedConfig(NetworkMode, create.containers);
  if (config !== undefined) {
    return {
      Hostname: config.Hostname ?? '',
      ...(config.Domainname !== undefined && { Domainname: config.Domainname }),
    };
  }
  const own = NetworkMode === 'host' || UTSMode === 'host' ? hostname : create.id.slice(0, 12);
  return { Hostname: Hostname || own, ...(Domainname !== undefined && { Domainname }) };
}

/** Of the container whose network is shared; undefined when none is, or it is absent, which the start reports. */
function joinedConfig(mode: string, containers: ContainerLookup): ContainerConfig | undefined {
  const other = joinedContainer(mode);
  if (other === undefined) return undefined;
  try {
    return containers.get(other).config;
  } catch (error) {
    if (isAbsentContainer(error)) return undefined;
    throw error;
  }
}
