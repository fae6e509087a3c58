import type { Endpoint } from '@gantry/networks/service';
import type { ContainerInspectInfo } from 'dockerode';
import type { ContainerRecord } from '../record.js';
import { isAlive } from '../transitions.js';
import type { LiveFacts } from './live-facts.js';
import { toPortMap } from './ports.js';
import type { Shown, ShownRecord } from './shown.js';

/** The network whose endpoint also shows at the top of NetworkSettings. */
const defaultNetwork = 'bridge';

/** Inspect's NetworkSettings. Addresses and ports are there while the container runs. */
export function toNetworkSettings(record: ContainerRecord, live: LiveFacts) {
  const top = live.endpoints.find(({ networkName }) => networkName === defaultNetwork);
  const hasSandbox = isAlive(record.state) && live.sandboxPath !== undefined;
  return {
    Bridge: '',
    SandboxID: hasSandbox ? record.id : '',
    HairpinMode: false,
    LinkLocalIPv6Address: '',
    LinkLocalIPv6PrefixLen: 0,
    Ports: toPortMap(record, live),
    SandboxKey: hasSandbox ? live.sandboxPath : '',
    SecondaryIPAddresses: null,
    SecondaryIPv6Addresses: null,
    EndpointID: top?.id ?? '',
    Gateway: top?.gateway ?? '',
    GlobalIPv6Address: top?.ipv6Address ?? '',
    GlobalIPv6PrefixLen: top?.ipv6PrefixLength ?? 0,
    IPAddress: top?.ipv4Address ?? '',
    IPPrefixLen: top?.ipv4PrefixLength ?? 0,
    IPv6Gateway: top?.ipv6Gateway ?? '',
    MacAddress: top?.macAddress ?? '',
    Networks: toNetworks(record, live.endpoints),
  } satisfies ShownRecord<ContainerInspectInfo['NetworkSettings']>;
}

type ShownNetwork = Shown<ContainerInspectInfo['NetworkSettings']['Networks'][string]> & {
  readonly DriverOpts: Readonly<Record<string, string>> | null;
  readonly GwPriority: number;
  readonly DNSNames: readonly string[] | null;
};

/** By network name: what was asked for, and the endpoint while there is one. */
export function toNetworks(
  record: ContainerRecord,
  endpoints: readonly Endpoint[],
): Readonly<Record<string, ShownNetwork>> {
  const { networks } = record;
  const shown: Record<string, ShownNetwork> = {};
  for (const name of Object.keys(networks)) {
    const { IPAMConfig, Links, Aliases = [], DriverOpts = null, GwPriority = 0 } = networks[name] ?? {};
    const { MacAddress = '', networkId = '' } = networks[name] ?? {};
    const endpoint = endpoints.find((candidate) => candidate.networkName === name);
    shown[name] = {
      IPAMConfig: IPAMConfig ?? null,
      Links: Links ?? null,
      Aliases: orNull(Aliases.filter((alias) => !isOwnName(alias, record))),
      DriverOpts,
      GwPriority,
      NetworkID: endpoint?.networkId ?? networkId,
      EndpointID: endpoint?.id ?? '',
      Gateway: endpoint?.gateway ?? '',
      IPAddress: endpoint?.ipv4Address ?? '',
      IPPrefixLen: endpoint?.ipv4PrefixLength ?? 0,
      IPv6Gateway: endpoint?.ipv6Gateway ?? '',
      GlobalIPv6Address: endpoint?.ipv6Address ?? '',
      GlobalIPv6PrefixLen: endpoint?.ipv6PrefixLength ?? 0,
      MacAddress: endpoint?.macAddress ?? MacAddress,
      DNSNames: dnsNames(record, endpoint?.aliases.length ? endpoint.aliases : Aliases),
    };
  }
  return shown;
}

const orNull = (names: readonly string[]): readonly string[] | null => (names.length > 0 ? names : null);

/** What every container has as an alias, whether it was asked for or not. */
const isOwnName = (alias: string, { id, config }: ContainerRecord): boolean =>
  alias === id.slice(0, 12) || alias === config.Hostname;

/** The names by which others on the network find it; null where names do not count. */
const dnsNames = ({ name }: ContainerRecord, aliases: readonly string[]): readonly string[] | null =>
  aliases.length === 0 ? null : [...new Set([name, ...aliases])];
