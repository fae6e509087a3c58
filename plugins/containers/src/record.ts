import type { EndpointSettings } from '@gantry/networks/service';
import type { ContainerConfig, HostConfig } from './schema.js';

/** A container as stored: one record in the state store, written whole. Fields have the API's names where it has them. */
export interface ContainerRecord {
  readonly id: string;
  /** Without the slash. */
  readonly name: string;
  /** RFC 3339 with nanoseconds. */
  readonly createdAt: string;
  readonly imageId: string;
  /** As the client named it. */
  readonly imageName: string;
  /** Entrypoint and Cmd resolved: the program and its arguments. */
  readonly path: string;
  readonly args: readonly string[];
  /** Merged with the image's. */
  readonly config: ContainerConfig;
  readonly hostConfig: HostConfig;
  /** By network name, in joining order. */
  readonly networks: Readonly<Record<string, EndpointSettings & { readonly networkId?: string }>>;
  readonly mounts: readonly MountPoint[];
  /** Id of the storage driver that holds the writable layer. */
  readonly storageDriver: string;
  readonly state: ContainerState;
  /** Starts by the restart policy since the last start by a user. */
  readonly restartCount: number;
  /** A user stopped it: `unless-stopped` leaves it alone. */
  readonly stoppedByUser: boolean;
  /** The container has been started at least once, so inspect shows its paths. */
  readonly everStarted: boolean;
  /** The detach keys of the last start by a client: what attach uses when it names none. */
  readonly detachKeys?: string;
  /** On hosts with SELinux. */
  readonly labels?: SecurityLabels;
  /** The operation that created it removes it; if that did not survive, the next daemon does. */
  readonly temporary?: true;
}

/** Contexts of SELinux that a container has. */
export interface SecurityLabels {
  /** Of its processes; empty: that of the runtime. */
  readonly process: string;
  /** Of the files in its root. */
  readonly mount: string;
}

export interface MountPoint {
  readonly type: 'bind' | 'volume' | 'tmpfs' | 'image';
  /** A file that the engine gives the container, such as a secret: neither shown nor taken over by other containers. */
  readonly hidden?: true;
  /** Not writable, and neither is what is mounted below it. */
  readonly recursiveReadOnly?: true;
  /** Volume name. */
  readonly name?: string;
  /** Host path of a bind; a volume's is known when it is mounted. */
  readonly source: string;
  readonly destination: string;
  readonly driver?: string;
  /** As written: `ro`, `z`, `nocopy`, ... */
  readonly mode: string;
  readonly readWrite: boolean;
  readonly propagation: string;
  /** Made for this container without a name: removed with `v=1`. */
  readonly anonymous: boolean;
  /** A bind whose source is not created when it is absent. */
  readonly sourceMustExist?: true;
  /** Only what is at this path below the source is mounted. Relative; no link on it may lead outside. */
  readonly subpath?: string;
  /** A bind without what is mounted below its source. */
  readonly nonRecursive?: true;
  /** The image whose files are mounted. */
  readonly image?: MountedImage;
  /** Fill an empty volume from the image's directory at the first start. */
  readonly copyUp: boolean;
}

export interface MountedImage {
  /** As the client named it. */
  readonly reference: string;
  /** The image behind the reference when the container was created. */
  readonly id: string;
  /** Id of the storage driver's writable layer that shows the image. Nothing is written to it. */
  readonly writable: string;
}

/**
 * A container's state, one shape for each, so that what only a running one has cannot be read elsewhere.
 *
 *     created -> starting -> running <-> paused
 *     running -> exited -> starting ...        exited -> restarting -> starting (restart policy)
 *     any -> removing -> gone, or dead when the removal failed
 *
 * `starting` is the durable intent: the next daemon undoes a start it finds unfinished. On the wire it shows as what
 * was before it: `restarting` for a start by the restart policy (`isRestart`), else `created` or `exited`.
 */
export type ContainerState =
  | { readonly status: 'created'; readonly error?: StartFailure }
  | { readonly status: 'starting'; readonly previous?: Run; readonly since: string; readonly isRestart?: true }
  | { readonly status: 'running'; readonly pid: number; readonly startedAt: string; readonly previous?: Run }
  | { readonly status: 'paused'; readonly pid: number; readonly startedAt: string; readonly previous?: Run }
  | { readonly status: 'restarting'; readonly last: Run; readonly delayMs: number }
  | { readonly status: 'exited'; readonly last: Run; readonly error?: StartFailure }
  | { readonly status: 'removing'; readonly last?: Run; readonly withVolumes: boolean }
  | { readonly status: 'dead'; readonly last?: Run; readonly reason: string };

/** One finished run. */
export interface Run {
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly exitCode: number;
  readonly oomKilled: boolean;
  readonly error?: string;
}

/** Why the last start failed: State.Error and State.ExitCode. */
export interface StartFailure {
  readonly message: string;
  readonly exitCode: number;
}
