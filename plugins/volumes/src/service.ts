import { type ServicePoint, servicePoint } from '@gantry/core/driver';

/** What other areas may do with volumes. */
export interface VolumeService {
  /**
   * The named volume, made when absent; a new one with a generated name (64 hex digits) without `name`. Publishes
   * `volume create` when it made one. Rejects `conflict` when the name exists under another driver, `not-found` for an
   * unknown driver, `invalid-argument` for a bad name or option.
   */
  ensure(request: VolumeRequest): Promise<Volume>;
  /** Rejects `not-found` ("get X: no such volume"). */
  get(name: string): Promise<Volume>;
  /** Mounts for a container and returns the host path; publishes `volume mount`. Repeating it is one mount. */
  mount(name: string, use: VolumeUse): Promise<string>;
  /** Publishes `volume unmount`. Not mounted: resolves. */
  unmount(name: string, use: VolumeUse): Promise<void>;
  /** Rejects `conflict` naming the users, and `not-found` unless forced. Publishes `volume destroy`. */
  remove(name: string, options?: { readonly force: boolean }): Promise<void>;
  /** Mounts again, without events, what containers that kept running use after a daemon restart. */
  restore(uses: readonly { readonly name: string; readonly use: VolumeUse }[]): Promise<void>;
  /** Spec: volume records with `UsageData`; a size of -1 is not known. */
  diskUsage(): Promise<readonly VolumeUsage[]>;
  /** Who uses volumes, asked by removal and by the `dangling` filter. @returns takes the source out again. */
  addUsers(users: VolumeUsers): () => void;
}

/** Spec: volume record with `UsageData`. */
export interface VolumeUsage {
  readonly Name: string;
  readonly Driver: string;
  readonly Mountpoint: string;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Options: Readonly<Record<string, string>> | null;
  readonly Scope: string;
  readonly CreatedAt?: string;
  readonly Status?: unknown;
  readonly UsageData: { readonly RefCount: number; readonly Size: number };
}

export interface VolumeRequest {
  readonly name?: string;
  /** The name was generated: a prune may remove it. Always so without `name`. */
  readonly anonymous?: boolean;
  /** Default: the configured default driver. */
  readonly driver?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Volume {
  readonly name: string;
  readonly driver: string;
  /** Host path; empty while the driver only has one when mounted. */
  readonly mountpoint: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
  /** Created without a name. */
  readonly anonymous?: boolean;
  /** RFC 3339; empty for one that its driver made by itself. */
  readonly createdAt: string;
  readonly scope: 'local' | 'global';
  readonly status?: Readonly<Record<string, unknown>>;
}

/** One container's use of a volume, with what the mount event says of it. */
export interface VolumeUse {
  readonly containerId: string;
  readonly destination: string;
  readonly readWrite: boolean;
  readonly propagation: string;
}

/** Containers, as volumes see them. */
export interface VolumeUsers {
  /** Ids of the containers, of any state, that name the volume. */
  usersOf(volume: string): readonly string[];
}

export const VolumeService: ServicePoint<VolumeService> = servicePoint<VolumeService>('volumes');
