import type { OciProcess, OciResources, OciSpec } from '@gantry/core/contracts';
import type { Filters, Query } from '@gantry/core/http';
import type { Image } from '@gantry/images/service';
import type { Endpoint, OpenSandbox } from '@gantry/networks/service';
import type { ContainerConfig, CreateBody, HostConfig, UpdateBody } from './config/schema.js';
import type { ContainerRecord, MountPoint } from './record.js';
import type { ExecProcessRequest } from './service.js';

/**
 * What the life cycle asks of the rest of this package. Nothing behind these interfaces changes state, starts a
 * process or publishes an event.
 */

// ---- configuration: src/config

/** Decoding, checking and completing what clients send. */
export interface Configuration {
  /** @throws EngineError `invalid-argument` naming field and value. */
  decodeCreate(body: unknown): CreateBody;
  decodeUpdate(body: unknown): UpdateBody;
  /**
   * Everything of a new container that can be settled before anything is made.
   * @throws EngineError `invalid-argument`, also for a container it names and that is not there; `conflict` for one that
   * does not share its IPC.
   */
  prepareCreate(body: CreateBody, image: Image, create: CreateContext): PreparedContainer;
  /** @throws EngineError `invalid-argument`. */
  prepareUpdate(record: ContainerRecord, update: UpdateBody): PreparedUpdate;
  /** The limits as the runtime takes them. Rejects `invalid-argument` for a block device that is not there. */
  resources(hostConfig: HostConfig): Promise<OciResources>;
}

export interface CreateContext {
  /** Id of the container to be: the default of Hostname. */
  readonly id: string;
  /** Other containers, for VolumesFrom, Links, and the modes that join one. */
  readonly containers: ContainerLookup;
}

export interface ContainerLookup {
  /** By id, name or prefix. @throws EngineError `not-found` ("No such container: X"). */
  get(reference: string): ContainerRecord;
}

export interface PreparedContainer {
  readonly path: string;
  readonly args: readonly string[];
  /** Merged with the image's. */
  readonly config: ContainerConfig;
  /** With defaults. */
  readonly hostConfig: HostConfig;
  readonly networks: ContainerRecord['networks'];
  /** In the order of their destinations' depth. A volume without a name is made under a generated one. */
  readonly mounts: readonly PreparedMount[];
  readonly warnings: readonly string[];
}

/** A mount point as asked for, before its volume is made. */
export type PreparedMount = MountPoint & {
  readonly volumeOptions?: Readonly<Record<string, string>>;
  readonly volumeLabels?: Readonly<Record<string, string>>;
};

export interface PreparedUpdate {
  readonly hostConfig: HostConfig;
  /** Undefined when no limit changes. */
  readonly resources: OciResources | undefined;
  readonly warnings: readonly string[];
}

// ---- bundle: src/oci

/** What a start turns into the runtime's words. */
export interface Bundles {
  /**
   * Reads users and groups from the mounted root. @throws EngineError `not-found` for an unknown user ("unable to find
   * user X: no matching entries in passwd file"), `invalid-argument`.
   */
  buildSpec(request: SpecRequest): Promise<OciSpec>;
  /** The process of an exec, beside the process the container itself was started with. */
  execProcess(request: ExecSpecRequest): Promise<OciProcess>;
  /**
   * Writes the files `hosts`, `hostname` and `resolv.conf` into `directory` and returns their paths. A container that joins another
   * one's network does not get here: it uses the other one's files.
   */
  writeNetworkFiles(request: NetworkFilesRequest): Promise<NetworkFiles>;
}

export interface SpecRequest {
  readonly record: ContainerRecord;
  /** Undefined when the image was removed by force after the container was made. */
  readonly image: Image | undefined;
  /** Host path of the mounted root file system. */
  readonly rootfs: string;
  /** In mounting order, with the host paths to mount from; tmpfs mounts have none. */
  readonly mounts: readonly ReadyMount[];
  /** Undefined: the host's own network stack. */
  readonly networkNamespace: string | undefined;
  readonly files: NetworkFiles | undefined;
  /** For environment variables of links. */
  readonly links: readonly ResolvedLink[];
  readonly containers: ContainerLookup;
  /** The container's own directory. */
  readonly directory: string;
}

export interface ReadyMount {
  readonly mount: MountPoint;
  readonly hostPath: string | undefined;
  /** What the host's mount forbids, so that the container's does too: `ro`, `nosuid`, `nodev`, `noexec`. */
  readonly forbids?: readonly string[];
}

export interface ExecSpecRequest {
  readonly record: ContainerRecord;
  /** For environment variables of links. */
  readonly links: readonly ResolvedLink[];
  readonly rootfs: string;
  readonly exec: ExecProcessRequest;
}

export interface NetworkFilesRequest {
  readonly record: ContainerRecord;
  readonly directory: string;
  /** Undefined: the host's own stack. */
  readonly sandbox: OpenSandbox | undefined;
  readonly links: readonly ResolvedLink[];
}

/** A link of the default network: another container's address under an alias. */
export interface ResolvedLink {
  readonly alias: string;
  readonly container: ContainerRecord;
  readonly endpoint: Endpoint | undefined;
}

/** Host paths, mounted at /etc/hosts, /etc/hostname and /etc/resolv.conf. */
export interface NetworkFiles {
  readonly hosts: string;
  readonly hostname: string;
  readonly resolvConf: string;
}

// ---- wire: src/wire

/** How containers look to clients. */
export interface ContainerWire {
  /** GET /containers/(id)/json. */
  toInspect(record: ContainerRecord, live: LiveFacts): object;
  /** One item of GET /containers/json, as JSON text. Most of it is kept until the record or one of the facts changes. */
  toSummary(record: ContainerRecord, live: ListedFacts, now: Date): string;
  /** `all`, `limit`, `since`, `before`, `size` and `filters`. @throws EngineError `invalid-argument`. */
  parseList(query: Query): ListQuery;
  /** Newest first. */
  filterContainers(records: readonly ContainerRecord[], query: ListQuery, context: FilterContext): ContainerRecord[];
}

export interface ListQuery {
  readonly all: boolean;
  readonly size: boolean;
  readonly limit: number;
  readonly since: string | undefined;
  readonly before: string | undefined;
  readonly filters: Filters;
}

export interface FilterContext {
  readonly containers: ContainerLookup;
  /** Ids of the image a reference names and of every image made from it; empty when there is none. */
  descendants(reference: string): ReadonlySet<string>;
  readonly live: (record: ContainerRecord) => ListedFacts;
}

/** What a list tells of a container beyond its record. All of it comes from memory. */
export interface ListedFacts {
  readonly endpoints: readonly Endpoint[];
  readonly health?: Health;
  /** The names that links of other containers give it. */
  readonly linkNames?: readonly string[];
  /** The name it was created from stands for another image by now, or for none. */
  readonly imageMoved?: boolean;
  /** With `size`. Bytes. */
  readonly sizes?: { readonly writable: number; readonly rootfs: number };
}

/** What is known of a container beyond its record. All of it comes from memory. */
export interface LiveFacts extends ListedFacts {
  readonly execIds: readonly string[];
  readonly logPath: string;
  /** The container's own directory, where hosts, hostname and resolv.conf are. */
  readonly directory: string;
  /** Host path of the sandbox, while it runs. */
  readonly sandboxPath?: string;
  /** GraphDriver.Data. */
  readonly storage?: Readonly<Record<string, string>>;
}

/** State.Health. */
export interface Health {
  readonly status: 'starting' | 'healthy' | 'unhealthy';
  readonly failingStreak: number;
  /** Newest last. */
  readonly log: readonly HealthProbe[];
}

export interface HealthProbe {
  /** RFC 3339. */
  readonly start: string;
  readonly end: string;
  readonly exitCode: number;
  readonly output: string;
}
