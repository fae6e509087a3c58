import type { ContainerLookup } from '../../container-lookup.js';
import { joinedContainer } from '../../sandbox/joined-container.js';
import type { ContainerConfig } from '../../schema.js';
import type { Modes } from '../namespaces/namespace-modes.js';

/** The default host name: that of the namespace the container shares, or its own short id. */
export function hostIdentity(
  { Hostname = '', Domainname }: ContainerConfig,
  { NetworkMode, UTSMode }: Modes,
  create: { readonly id: string; readonly containers: ContainerLookup },
  hostname: string,
): Pick<ContainerConfig, 'Hostname' | 'Domainname'> {
  const other = joinedContainer(NetworkMode);
  if (other !== undefined) {
    const { config } = create.containers.get(other);
    return {
      Hostname: config.Hostname ?? '',
      ...(config.Domainname !== undefined && { Domainname: config.Domainname }),
    };
  }
  const own = NetworkMode === 'host' || UTSMode === 'host' ? hostname : create.id.slice(0, 12);
  return { Hostname: Hostname || own, ...(Domainname !== undefined && { Domainname }) };
}
