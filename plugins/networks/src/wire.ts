import { isIPv6 } from 'node:net';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { type Static, Type } from '@sinclair/typebox';
import type { NetworkInspectInfo } from 'dockerode';
import type { PoolRequirement } from './addresses/address-pools.js';
import { driverOfName, shownDriver } from './driver-names.js';
import type { CreateNetworkRequest } from './networks/create-network.js';
import type { NetworkStore } from './store/network-store.js';
import type { EndpointRecord, NetworkRecord, PoolRecord } from './store/records.js';

const string = Type.Optional(Type.String());
const boolean = Type.Optional(Type.Boolean());
const map = Type.Optional(Type.Record(Type.String(), Type.String()));

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
  refuseUnsupported(body);
  const pools = (ipam.Config ?? []).map(toPoolRequirement);
  return {
    name: body.Name ?? '',
    driver: given(body.Driver) ? driverOfName(body.Driver) : undefined,
    internal: body.Internal ?? false,
    attachable: body.Attachable ?? false,
    ipv6: (body.EnableIPv6 ?? false) || (enablesIpv6(body.Options ?? {}) && pools.some((pool) => pool.ipv6)),
    options: body.Options ?? {},
    labels: body.Labels ?? {},
    ipam: { driver: given(ipam.Driver) ? ipam.Driver : 'default', options: ipam.Options ?? {} },
    pools,
  };
}

const ipv6Option = 'com.docker.network.enable_ipv6';

/** The option that stands for EnableIPv6. @throws EngineError `invalid-argument` for what is no truth value. */
function enablesIpv6({ [ipv6Option]: value = 'false' }: Readonly<Record<string, string>>): boolean {
  if (/^(?:1|t|true)$/i.test(value)) return true;
  if (/^(?:0|f|false)$/i.test(value)) return false;
  throw invalidArgument(`Options: failed to parse ${ipv6Option} value: "${value}" is neither true nor false`);
}

/** @throws EngineError `not-implemented` naming the field. */
function refuseUnsupported(body: Static<typeof CreateBody>): void {
  const refuse = (field: string, value: unknown): never => {
    throw notImplemented(`${field}: ${JSON.stringify(value)} is not supported`);
  };
  if (body.EnableIPv4 === false) refuse('EnableIPv4', false);
  if (body.Ingress === true) refuse('Ingress', true);
  if (body.ConfigOnly === true) refuse('ConfigOnly', true);
  if (given(body.ConfigFrom?.Network)) refuse('ConfigFrom', body.ConfigFrom);
  if (given(body.Scope) && body.Scope !== 'local') refuse('Scope', body.Scope);
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

/** Spec: network record. */
export const toNetwork = (store: NetworkStore, network: NetworkRecord, scope: string) =>
  ({
    Name: network.name,
    Id: network.id,
    Created: network.createdAt,
    Scope: scope,
    Driver: shownDriver(network.driver),
    EnableIPv4: true,
    EnableIPv6: network.ipv6,
    IPAM: {
      Driver: network.ipam.driver,
      Options: Object.keys(network.ipam.options).length > 0 ? network.ipam.options : null,
      Config: network.pools.map(toPool),
    },
    Internal: network.internal,
    Attachable: network.attachable ?? false,
    Ingress: false,
    ConfigFrom: { Network: '' },
    ConfigOnly: false,
    Containers: Object.fromEntries(store.endpointsOn(network.id).flatMap(toContainerEntry)),
    Options: network.options,
    Labels: network.labels,
  }) satisfies Omit<NetworkInspectInfo, 'IPAM'> & { readonly EnableIPv4: boolean; readonly IPAM: unknown };

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
