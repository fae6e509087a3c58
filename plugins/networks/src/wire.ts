import { isIPv6 } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';
import { type Static, Type } from '@sinclair/typebox';
import type { NetworkInspectInfo } from 'dockerode';
import { driverOfName, shownDriver } from './driver-names.js';
import type { CreateNetworkRequest } from './networks/create-network.js';
import type { NetworkNode } from './service.js';
import type { NetworkStore } from './store/network-store.js';
import type { EndpointRecord, NetworkRecord, PoolRecord, PoolRequirement } from './store/records.js';

const string = Type.Optional(Type.String());
const boolean = Type.Optional(Type.Boolean());
const map = Type.Optional(Type.Record(Type.String(), Type.String()));

/** Keys of filters. */
export const listFilters = ['driver', 'id', 'label', 'name', 'type', 'scope', 'dangling'] as const;

/** Spec: POST /networks/create. Clients send auxiliary addresses under either name. */
export const CreateBody = Type.Object({
  Name: string,
  CheckDuplicate: boolean,
  Driver: string,
  Internal: boolean,
  EnableIPv4: boolean,
  EnableIPv6: boolean,
  Scope: string,
  Attachable: boolean,
  Ingress: boolean,
  ConfigOnly: boolean,
  ConfigFrom: Type.Optional(Type.Object({ Network: string })),
  IPAM: Type.Optional(
    Type.Object({
      Driver: string,
      Config: Type.Optional(
        Type.Array(
          Type.Object({ Subnet: string, IPRange: string, Gateway: string, AuxAddress: map, AuxiliaryAddresses: map }),
        ),
      ),
      Options: map,
    }),
  ),
  Options: map,
  Labels: map,
});

const given = (text: string | undefined): text is string => text !== undefined && text !== '';

export function toCreateRequest(body: Static<typeof CreateBody>): Omit<CreateNetworkRequest, 'checkDuplicate'> {
  const { IPAM: ipam = {} } = body;
  const pools = (ipam.Config ?? []).map(toPoolRequirement);
  return {
    name: body.Name ?? '',
    driver: given(body.Driver) ? driverOfName(body.Driver) : undefined,
    internal: body.Internal ?? false,
    attachable: body.Attachable ?? false,
    ingress: body.Ingress ?? false,
    ...(given(body.Scope) && { scope: body.Scope }),
    ...familiesOf(body),
    options: body.Options ?? {},
    labels: body.Labels ?? {},
    ipam: { driver: given(ipam.Driver) ? ipam.Driver : 'default', options: ipam.Options ?? {} },
    pools,
    ...(body.ConfigOnly === true && { configOnly: true }),
    ...(given(body.ConfigFrom?.Network) && { configFrom: body.ConfigFrom.Network }),
  };
}

/** @throws EngineError `invalid-argument` when both are disabled. */
function familiesOf({ EnableIPv4, EnableIPv6, Options = {} }: Static<typeof CreateBody>) {
  const ipv4 = EnableIPv4 ?? enabledBy('com.docker.network.enable_ipv4', Options) ?? true;
  const ipv6 = EnableIPv6 ?? enabledBy('com.docker.network.enable_ipv6', Options) ?? false;
  if (ipv4 || ipv6) return { ipv4, ipv6 };
  throw invalidArgument('IPv4 or IPv6 must be enabled: EnableIPv4 and EnableIPv6 are false');
}

/** An option that stands for a field. @throws EngineError `invalid-argument` for what is no truth value. */
function enabledBy(option: string, { [option]: value }: Readonly<Record<string, string>>): boolean | undefined {
  if (value === undefined) return undefined;
  if (/^(?:1|t|true)$/i.test(value)) return true;
  if (/^(?:0|f|false)$/i.test(value)) return false;
  throw invalidArgument(`Options: failed to parse ${option} value: "${value}" is neither true nor false`);
}

type PoolBody = NonNullable<NonNullable<Static<typeof CreateBody>['IPAM']>['Config']>[number];

function toPoolRequirement({ Subnet, IPRange, Gateway, AuxAddress, AuxiliaryAddresses }: PoolBody): PoolRequirement {
  return {
    auxiliary: { ...AuxAddress, ...AuxiliaryAddresses },
    ipv6: isIPv6((Subnet ?? Gateway ?? '').split('/')[0] ?? ''),
    ...(given(Subnet) && { subnet: Subnet }),
    ...(given(IPRange) && { range: IPRange }),
    ...(given(Gateway) && { gateway: Gateway }),
  };
}

const vxlanOption = 'com.docker.network.driver.overlay.vxlanid_list';

/** Spec: network record. */
export const toNetwork = (
  store: NetworkStore,
  network: NetworkRecord,
  scope: string,
  peers: readonly NetworkNode[] = [],
) =>
  ({
    Name: network.name,
    Id: network.id,
    Created: network.createdAt,
    Scope: scope,
    Driver: shownDriver(network.driver),
    EnableIPv4: network.ipv4 ?? true,
    EnableIPv6: network.ipv6,
    IPAM: {
      Driver: network.ipam.driver,
      Options: Object.keys(network.ipam.options).length > 0 ? network.ipam.options : null,
      Config: network.configuration?.pools.map(toRequestedPool) ?? network.pools.map(toPool),
    },
    Internal: network.internal,
    Attachable: network.attachable ?? false,
    Ingress: network.swarm?.ingress ?? false,
    ConfigFrom: { Network: network.configFrom ?? '' },
    ConfigOnly: network.configuration !== undefined,
    Containers: Object.fromEntries(store.endpointsOn(network.id).flatMap(toContainerEntry)),
    Options: optionsOf(network),
    Labels: network.labels,
    ...(peers.length > 0 && { Peers: peers.map(({ address, name }) => ({ Name: name, IP: address })) }),
  }) satisfies Omit<NetworkInspectInfo, 'IPAM'> & { readonly EnableIPv4: boolean; readonly IPAM: unknown };

/** Of a network of the swarm: what nodes create it with. */
function optionsOf({ options, swarm }: NetworkRecord): Readonly<Record<string, string>> {
  if (swarm === undefined) return options;
  return swarm.driverOptions ?? { ...options, [vxlanOption]: String(swarm.vxlanId) };
}

/** An endpoint under its container's id; nothing for one that has not joined yet. */
function toContainerEntry({ joined, ...endpoint }: EndpointRecord) {
  if (joined === undefined) return [];
  const container = {
    Name: endpoint.containerName,
    EndpointID: endpoint.id,
    MacAddress: joined.macAddress,
    IPv4Address: endpoint.request.ipv4 ?? '',
    IPv6Address: endpoint.request.ipv6 ?? '',
  };
  return [[endpoint.containerId, container] as const];
}

function toPool({ subnet, range, gateway, auxiliary, requested }: PoolRecord) {
  const address = gateway?.replace(/\/\d+$/, '');
  return {
    Subnet: subnet,
    ...(range !== undefined && { IPRange: range }),
    ...(address !== undefined && { Gateway: address }),
    ...(requested && Object.keys(auxiliary).length > 0 && { AuxAddress: auxiliary, AuxiliaryAddresses: auxiliary }),
  };
}

function toRequestedPool({ subnet, range, gateway, auxiliary }: PoolRequirement) {
  return {
    ...(subnet !== undefined && { Subnet: subnet }),
    ...(range !== undefined && { IPRange: range }),
    ...(gateway !== undefined && { Gateway: gateway }),
    ...(Object.keys(auxiliary).length > 0 && { AuxAddress: auxiliary, AuxiliaryAddresses: auxiliary }),
  };
}
