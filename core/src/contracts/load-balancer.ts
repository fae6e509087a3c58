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

  /**
   * What keeps backends on this host from answering through meshes, as words for operators; undefined when nothing does.
   * Found out once, by trying. Never rejects. A driver has this method and `answerThrough`, or neither: then the clients
   * of published ports have the address of a mesh.
   */
  clientAddressObstacle?(): Promise<string | undefined>;

  /**
   * Makes a sandbox answer each connection that a mesh has led to it with the client's own address through that mesh,
   * whatever its other routes are. What arrives at the interface from outside of its subnets in any other way is dropped.
   * Always the complete path, in one step; undefined removes it. Open connections stay as they are. It ends with the sandbox,
   * and survives the daemon. Idempotent; calls for one sandbox take effect in their order. Rejects `not-found` when the
   * sandbox is gone, `invalid-argument` naming a value, or the address when no interface has it.
   */
  answerThrough?(sandbox: Sandbox, path: AnswerPath | undefined): Promise<void>;
}

/** How a backend answers clients of published ports whose addresses it sees. */
export interface AnswerPath {
  /** Of the sandbox, on the network of the meshes. IPv4, without prefix length. */
  readonly address: string;
  /** All of that network, with prefix length. */
  readonly subnets: readonly string[];
  readonly meshes: readonly { readonly address: string; readonly macAddress: string }[];
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
  /**
   * Those of the backends whose sandboxes answer through meshes (see `answerThrough`): they see the address of each client
   * that is not on this host. All others see an address of the mesh.
   */
  readonly transparent?: readonly string[];
}

export const LoadBalancerDrivers: DriverPoint<LoadBalancerDriver> = driverPoint<LoadBalancerDriver>(
  'load-balancer',
  '2.1',
  ['balance', 'publish'],
);
