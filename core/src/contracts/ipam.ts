import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';

/**
 * # IPAM: pools of addresses
 *
 * The engine keeps what it was given in its own state and says it all again after a restart, as requests for exactly
 * the same pools and addresses, so a driver need not be durable; one that is takes the repetition as success.
 */
export interface IpamDriver {
  /**
   * A pool: the given subnet, or a free one that overlaps no other pool and no route of the host.
   * Rejects `invalid-argument` naming the bad value, `forbidden` with "Pool overlaps with other one on this address
   * space", `unavailable` when none is free.
   */
  requestPool(request: PoolRequest): Promise<Pool>;
  /** Unknown: resolves. */
  releasePool(poolId: string): Promise<void>;
  /**
   * An address with prefix length, such as `172.18.0.2/16`: the preferred one or the next free one, used ones again
   * last. Rejects `conflict` ("Address already in use"), `invalid-argument` outside the pool, `unavailable` when full.
   */
  requestAddress(poolId: string, options?: AddressOptions): Promise<string>;
  /** Not given out: resolves. */
  releaseAddress(poolId: string, address: string): Promise<void>;
}

export interface PoolRequest {
  /** CIDR; without it the driver chooses. */
  readonly subnet?: string;
  /** CIDR inside the subnet from which addresses are chosen. */
  readonly range?: string;
  readonly ipv6: boolean;
  readonly options?: Readonly<Record<string, string>>;
}

export interface Pool {
  readonly id: string;
  /** CIDR. */
  readonly subnet: string;
}

export interface AddressOptions {
  /** Without prefix length. */
  readonly preferred?: string;
  /** For a gateway; drivers may choose by that. */
  readonly gateway?: boolean;
}

export const IpamDrivers: DriverPoint<IpamDriver> = driverPoint<IpamDriver>('ipam', '1.0', [
  'requestPool',
  'releasePool',
  'requestAddress',
  'releaseAddress',
]);
