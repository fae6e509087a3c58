import { isIPv4 } from 'node:net';
import type { ClusterState } from '@gantry/cluster/service';
import { forbidden, invalidArgument, unavailable } from '@gantry/core/errors';
import { contains, overlap, subnetOf } from '@gantry/lib-network';
import type { SwarmNetworkRequest } from '@gantry/networks/service';
import { freeAddress } from './free-address.js';
import type { ClusterNetwork } from './network-kind.js';

type Pools = Pick<ClusterState, 'defaultAddressPools' | 'subnetSize'>;
type Pool = ClusterNetwork['pools'][number];

/** As clients send it. */
const vxlanOption = 'com.docker.network.driver.overlay.vxlanid_list';
/** Below are the numbers of VLANs; the first one is for the ingress network. */
const firstVxlanId = 4096;
const lastVxlanId = 2 ** 24 - 1;

/**
 * A network with the subnets and the number that it gets, none of which another one has.
 * @param lastId the number that was allocated last.
 * @throws EngineError `invalid-argument` naming the value, `forbidden` for a subnet in use, `unavailable` when none is free.
 */
export function allocateNetwork(
  request: SwarmNetworkRequest,
  others: readonly ClusterNetwork[],
  defaults: Pools,
  lastId = firstVxlanId,
): ClusterNetwork {
  const used = others.flatMap(({ pools }) => pools.map(({ subnet }) => subnet));
  const pools: Pool[] = [];
  for (const wanted of request.pools.length === 0 ? [{ auxiliary: {} }] : request.pools) {
    const taken = [...used, ...pools.map(({ subnet }) => subnet)];
    pools.push(allocatePool(wanted, taken, defaults));
  }
  const { [vxlanOption]: requestedId, ...options } = request.options;
  return { ...request, options, pools, vxlanId: allocateVxlanId(request.ingress, requestedId, others, lastId) };
}

function allocatePool(wanted: SwarmNetworkRequest['pools'][number], taken: readonly string[], defaults: Pools): Pool {
  const subnet = wanted.subnet === undefined ? freeSubnet(taken, defaults) : checkedSubnet(wanted.subnet, taken);
  const { auxiliary, gateway, range } = wanted;
  for (const address of [...(gateway === undefined ? [] : [gateway]), ...Object.values(auxiliary)]) {
    if (!isIPv4(address) || !contains(subnet, address)) {
      throw invalidArgument(`invalid address ${address}: it is not in the subnet ${subnet}`);
    }
  }
  if (range !== undefined && !(isSubnet(range) && contains(subnet, range.split('/')[0] ?? ''))) {
    throw invalidArgument(`invalid IPRange ${range}: it is not in the subnet ${subnet}`);
  }
  const bare = { subnet, auxiliary, requested: wanted.subnet !== undefined, ...(range !== undefined && { range }) };
  const chosen = freeAddress({ pools: [{ ...bare, gateway: '' }] }, { isUsed: () => false, preferred: gateway });
  if (chosen === undefined) throw invalidArgument(`invalid subnet ${subnet}: it has no address for a gateway`);
  return { ...bare, gateway: chosen };
}

/** @throws EngineError `invalid-argument`, `forbidden`. */
function checkedSubnet(text: string, taken: readonly string[]): string {
  if (!isSubnet(text)) throw invalidArgument(`invalid subnet ${text}: invalid CIDR block notation`);
  const subnet = subnetOf(text);
  if (taken.some((other) => overlap(other, subnet))) {
    throw forbidden('invalid pool request: Pool overlaps with other one on this address space');
  }
  return subnet;
}

function isSubnet(text: string): boolean {
  const [address = '', length = ''] = text.split('/');
  return isIPv4(address) && /^\d{1,2}$/.test(length) && Number(length) >= 1 && Number(length) <= 30;
}

function freeSubnet(taken: readonly string[], { defaultAddressPools, subnetSize }: Pools): string {
  for (const pool of defaultAddressPools) {
    const [base = '', length = '0'] = subnetOf(pool).split('/');
    const start = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    const size = 2 ** (32 - subnetSize);
    for (let index = 0; index < 2 ** (subnetSize - Number(length)); index++) {
      const number = start + index * size;
      const subnet = `${[24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')}/${subnetSize}`;
      if (!taken.some((other) => overlap(other, subnet))) return subnet;
    }
  }
  throw unavailable(`no subnet of /${subnetSize} is free in the address pools of the swarm`);
}

function allocateVxlanId(
  ingress: boolean,
  requested: string | undefined,
  others: readonly ClusterNetwork[],
  lastId: number,
): number {
  const taken = new Set(others.map(({ vxlanId }) => vxlanId));
  if (requested !== undefined) {
    const id = Number(requested);
    const isValid = /^\d+$/.test(requested) && id >= firstVxlanId && id <= lastVxlanId;
    if (!isValid)
      throw invalidArgument(`invalid option ${vxlanOption}: "${requested}" is not a number from ${firstVxlanId}`);
    if (taken.has(id)) throw forbidden(`invalid option ${vxlanOption}: ${id} belongs to another network`);
    return id;
  }
  if (ingress && !taken.has(firstVxlanId)) return firstVxlanId;
  // A number comes again last: nodes may still be removing the tunnels of the network that had it.
  let id = lastId < lastVxlanId ? lastId + 1 : firstVxlanId + 1;
  while (taken.has(id)) id = id < lastVxlanId ? id + 1 : firstVxlanId + 1;
  return id;
}
