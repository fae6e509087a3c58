import type { Socket as DatagramSocket } from 'node:dgram';
import type { Server } from 'node:net';
import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';
import type { IdMappings } from './id-mappings.js';

/**
 * # Sandbox: an isolated network stack, into which network drivers put interfaces
 *
 * Sandboxes survive the death of the daemon; `list` finds them again. They do not survive a reboot.
 */
export interface SandboxDriver {
  /**
   * Makes a sandbox with a loopback interface that is up. Rejects `conflict` when the id exists, `invalid-argument`
   * when it is not `[a-zA-Z0-9][a-zA-Z0-9_.-]*`. With `userNamespace` the stack belongs to that user namespace, in which
   * its root may configure it.
   */
  create(id: string, options?: { readonly userNamespace?: UserNamespaceRequest }): Promise<Sandbox>;
  /** Absent: undefined. */
  get(id: string): Promise<Sandbox | undefined>;
  list(): Promise<readonly string[]>;
  /** Removes it with every interface in it. Absent: resolves. */
  remove(id: string): Promise<void>;
  /** The host's own stack, which is never removed. */
  readonly host: Sandbox;
  /**
   * A resolver's sockets inside the sandbox, on 127.0.0.11 port 53 as seen from within; rules that lead there are made
   * too, in the place of those of an earlier call. The caller owns both and closes them. Rejects `not-found`.
   */
  openResolver(id: string): Promise<{ readonly udp: DatagramSocket; readonly tcp: Server }>;
}

export interface Sandbox {
  readonly id: string;
  /** What the runtime joins: the OCI namespace path. */
  readonly path: string;
  /** The OCI path of the user namespace that it belongs to, which lasts as long; undefined: the host's. */
  readonly userNamespace?: string;
}

/** A new user namespace with mappings, or the one of a path. */
export type UserNamespaceRequest = { readonly mappings: IdMappings } | { readonly path: string };

export const SandboxDrivers: DriverPoint<SandboxDriver> = driverPoint<SandboxDriver>('sandbox', '1.0', [
  'create',
  'get',
  'list',
  'remove',
  'openResolver',
]);
