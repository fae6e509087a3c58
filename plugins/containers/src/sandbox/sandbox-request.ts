import { kindOf } from '@gantry/core/errors';
import type { Attachment, EndpointSettings, Network, NetworkService, SandboxRequest } from '@gantry/networks/service';
import type { ContainerRecord } from '../record.js';
import { parseLink } from './parse-link.js';
import { parsePort, portRequests } from './port-requests.js';

/**
 * What the network area gets to make a container's sandbox. @throws EngineError `not-found` for a network that is
 * gone.
 */
export function sandboxRequest(record: ContainerRecord, networks: Pick<NetworkService, 'get'>): SandboxRequest {
  const { config, hostConfig } = record;
  const links = (hostConfig.Links ?? []).map(parseLink).map(({ alias, target }) => [alias, target] as const);
  const ports = portRequests(hostConfig, config.ExposedPorts);
  const exposedPorts = exposedBy(record);
  const attachments = Object.entries(record.networks).map(([name, settings], index): Attachment => {
    const attachment = attachmentTo(name, settings, record, networks);
    const macAddress = attachment.macAddress ?? (index === 0 ? config.MacAddress : undefined);
    return {
      ...attachment,
      exposedPorts,
      links: {
        ...(index === 0 && Object.fromEntries(links)),
        ...attachment.links,
      },
      // Publishing twice would be a conflict of the container with itself.
      ports: index === 0 ? ports : [],
      ...(macAddress !== undefined && macAddress !== '' && { macAddress }),
    };
  });
  return {
    container: {
      id: record.id,
      name: record.name,
      hostname: config.Hostname ?? '',
      domainname: config.Domainname ?? '',
    },
    attachments,
    dns: {
      nameservers: hostConfig.Dns ?? [],
      search: hostConfig.DnsSearch ?? [],
      options: hostConfig.DnsOptions ?? [],
    },
  };
}

/** Where names count, a container's short id and host name are among them. */
export const withOwnNames = (aliases: readonly string[] = [], { id, config }: ContainerRecord): readonly string[] => [
  ...new Set([...aliases, id.slice(0, 12), ...(config.Hostname ? [config.Hostname] : [])]),
];

/** What links open: exposed and published ports, such as `80/tcp`. */
export function exposedBy({ config, hostConfig }: ContainerRecord): string[] {
  const keys = [...Object.keys(config.ExposedPorts ?? {}), ...Object.keys(hostConfig.PortBindings ?? {})];
  return [...new Set(keys.map(parsePort).map(({ port, protocol }) => `${port}/${protocol}`))];
}

/**
 * One endpoint as its settings ask for it, without what belongs to the whole container. Whom its links name may come
 * later.
 */
export function attachmentTo(
  name: string,
  settings: EndpointSettings & { readonly networkId?: string },
  record: ContainerRecord,
  networks: Pick<NetworkService, 'get'>,
): Attachment {
  const network = networkOf(networks, settings.networkId, name);
  const { IPv4Address = '', IPv6Address = '', LinkLocalIPs: linkLocal = [] } = settings.IPAMConfig ?? {};
  const links = (settings.Links ?? []).map(parseLink).map(({ target, alias }) => [alias, target]);
  return {
    networkId: network.id,
    aliases: network.userDefined ? withOwnNames(settings.Aliases, record) : [],
    links: Object.fromEntries(links),
    ports: [],
    ...(IPv4Address !== '' && { ipv4Address: IPv4Address }),
    ...(IPv6Address !== '' && { ipv6Address: IPv6Address }),
    ...(linkLocal.length > 0 && { linkLocal }),
    ...(settings.MacAddress && { macAddress: settings.MacAddress }),
    ...(settings.DriverOpts !== undefined && { options: settings.DriverOpts }),
    ...(settings.GwPriority && { gatewayPriority: settings.GwPriority }),
  };
}

/** A network that was made anew under the same name counts as the same. */
function networkOf(networks: Pick<NetworkService, 'get'>, id: string | undefined, name: string): Network {
  if (id === undefined) return networks.get(name);
  try {
    return networks.get(id);
  } catch (error) {
    if (kindOf(error) !== 'not-found') throw error;
    return networks.get(name);
  }
}
