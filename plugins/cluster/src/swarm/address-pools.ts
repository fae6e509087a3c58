import { isIP } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';

const defaultPools = ['10.0.0.0/8'];
const defaultSubnetSize = 24;
const defaultDataPathPort = 4789;

export interface RequestedPools {
  readonly DefaultAddrPool?: readonly string[] | undefined;
  readonly SubnetSize?: number | undefined;
  readonly DataPathPort?: number | undefined;
}

/**
 * Where the networks of services get their subnets from, and the port of the tunnels between nodes.
 * @throws EngineError `invalid-argument` naming the field and the value.
 */
export function parsePools({ DefaultAddrPool = [], SubnetSize = 0, DataPathPort = 0 }: RequestedPools) {
  const pools = DefaultAddrPool.length === 0 ? defaultPools : DefaultAddrPool;
  const subnetSize = SubnetSize === 0 ? defaultSubnetSize : SubnetSize;
  for (const pool of pools) {
    const [address = '', bits] = pool.split('/');
    if (isIP(address) !== 4 || bits === undefined || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) {
      throw invalidArgument(`DefaultAddrPool: "${pool}" is not an IPv4 subnet such as 10.0.0.0/8`);
    }
    if (Number(bits) > subnetSize) {
      throw invalidArgument(`SubnetSize: /${subnetSize} is larger than the pool ${pool}`);
    }
  }
  if (subnetSize < 1 || subnetSize > 29) {
    throw invalidArgument(`SubnetSize: ${subnetSize} is not between 1 and 29`);
  }
  const port = DataPathPort === 0 ? defaultDataPathPort : DataPathPort;
  if (port < 1024 || port > 49_151) throw invalidArgument(`DataPathPort: ${port} is not between 1024 and 49151`);
  return { defaultAddressPools: pools, subnetSize, dataPathPort: port };
}
