import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';
import type { Sandbox } from './sandbox.js';

/**
 * # Load balancer: virtual addresses of services, and ports of the host
 *
 * A client's connections to a virtual address are spread over the backends, within the client's own sandbox: no packet
 * takes a detour, and each node decides by itself. Connections that are open stay with their backend when the backends
 * change. Virtual addresses belong to their sandbox: they end with it, and survive the daemon.
 *
 * Published ports lead from the addresses of the host through one sandbox, the *mesh*, to backends on the mesh's network.
 */
export interface LoadBalancerDriver {
  /**
   * Makes these the virtual addresses of a sandbox, all at once: connections of clients in it go to the new backends from
   * now on. Always the complete list, so that no address outlives its service; an address without backends refuses
   * connections. Idempotent; calls for one sandbox take effect in their order. Rejects `not-found` when the sandbox is
   * gone, `invalid-argument` naming a value that is no IPv4 address or is listed twice; then nothing has changed.
   */
  balance(sandbox: Sandbox, services: readonly BalancedService[]): Promise<void>;

  /**
   * Makes these the published ports of the host: a connection to one of them at any IPv4 address of the host, also
   * 127.0.0.1, goes through the mesh to one of its backends from now on. Always the complete list; none removes
   * everything that the driver has on the host, and needs no mesh. Open TCP and SCTP connections stay with their backend
   * when the backends change; UDP flows whose backend is gone get another one. A port without backends refuses
   * connections. Idempotent; calls take effect in their order. Published ports end with the daemon.
   *
   * Resolves to the ports that are not published because another program has bound them: the next call tries them again.
   * Rejects `not-found` when the mesh is gone, `invalid-argument` naming a value; then nothing has changed.
   */
  publish(mesh: Sandbox | undefined, ports: readonly BalancedPort[]): Promise<readonly BalancedPort[]>;
}

export interface BalancedService {
  /** IPv4, without prefix length. */
  readonly address: string;
  /** IPv4 addresses, without prefix length. Each gets the same share of new connections. */
  readonly backends: readonly string[];
}

export interface BalancedPort {
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  /** Of the host. */
  readonly port: number;
  /** Of the backends. */
  readonly targetPort: number;
  /** IPv4 addresses, without prefix length. Each gets the same share of new connections. */
  readonly backends: readonly string[];
}

export const LoadBalancerDrivers: DriverPoint<LoadBalancerDriver> = driverPoint<LoadBalancerDriver>(
  'load-balancer',
  '2.0',
  ['balance', 'publish'],
);
