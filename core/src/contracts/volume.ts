import { type DriverPoint, driverPoint } from '../kernel/points/driver-point.js';

/**
 * # Volume: named directories that outlive containers
 *
 * `create` makes a volume known; `mount` makes it usable at a host path for one user (an opaque id such as a
 * container's); the last `unmount` may remove the path again. Names match `[a-zA-Z0-9][a-zA-Z0-9_.-]*`.
 *
 * Another version takes over while the daemon runs as it does after a restart: once the older one has stopped, it starts
 * on the same directories, and every mount in use is asked of it again. What containers have mounted stays as it is.
 */
export interface VolumeDriver {
  readonly capabilities: VolumeCapabilities;

  /**
   * Makes a volume. Creating an existing name resolves and keeps what it holds. Rejects `invalid-argument` with the name
   * when it does not match, or naming the option for an unknown or bad option; then nothing was made.
   */
  create(name: string, options: Readonly<Record<string, string>>): Promise<void>;

  /**
   * Removes the volume and what it holds; of several calls at once one resolves. Rejects `not-found`, and while it is
   * mounted `conflict` with the words `remove NAME: volume is in use - [USER, USER]`.
   */
  remove(name: string): Promise<void>;

  /** Rejects `not-found`. */
  get(name: string): Promise<DriverVolume>;

  list(): Promise<readonly DriverVolume[]>;

  /**
   * Makes the content reachable and returns its host path, the same for every user. Repeating it for one `user` is one
   * mount. Rejects `not-found`, `unavailable` with the reason when the backing store cannot be reached.
   */
  mount(name: string, user: string, options?: { readonly signal?: AbortSignal }): Promise<string>;

  /** Ends one user's mount. Not mounted for that user: resolves. */
  unmount(name: string, user: string): Promise<void>;

  /** Bytes used. Only with `capabilities.usage`. */
  usage?(name: string, options?: { readonly signal?: AbortSignal }): Promise<number>;
}

export interface VolumeCapabilities {
  /**
   * `global`: one volume is the same on every host of a cluster. It is created on the host that first uses it and does not
   * find it by `get`; where two hosts do so at once, both create it, with the same result.
   */
  readonly scope: 'local' | 'global';
  readonly usage: boolean;
}

export interface DriverVolume {
  readonly name: string;
  /** Host path; undefined while the driver only has one when mounted. */
  readonly mountpoint: string | undefined;
  /** What inspect shows as Status; left out when the driver has none. */
  readonly status?: Readonly<Record<string, unknown>>;
}

export const VolumeDrivers: DriverPoint<VolumeDriver> = driverPoint<VolumeDriver>(
  'volume',
  '1.0',
  ['create', 'remove', 'get', 'list', 'mount', 'unmount'],
  { capabilities: ['scope', 'usage'], capabilityMethods: { usage: 'usage' }, takeover: 'exclusive' },
);
