import type { TaskStats } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { CgroupLimits } from '@gantry/lib-linux/cgroups';
import type { Health } from './health.js';
import type { ContainerRecord } from './record.js';

export { readConsoleSize } from './validation/read-console-size.js';

/** Spec: container summary with its sizes in bytes. */
export interface ContainerUsage {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Image: string;
  readonly ImageID: string;
  readonly Command: string;
  /** Unix time in seconds. */
  readonly Created: number;
  readonly Ports: readonly unknown[];
  readonly SizeRw: number;
  readonly SizeRootFs: number;
  readonly Labels: Readonly<Record<string, string>>;
  readonly State: string;
  readonly Status: string;
  readonly HostConfig: { readonly NetworkMode: string };
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, unknown>> };
  readonly Mounts: readonly unknown[];
}

/** What other areas may do with containers. */
export interface ContainerService {
  /**
   * By full id, name (with or without slash), then unique id prefix. Rejects `not-found` ("No such container: X"),
   * `internal` ("Multiple IDs found with provided prefix: X").
   */
  get(reference: string): ContainerRecord;
  /** By full id; undefined when there is none. */
  find(id: string): ContainerRecord | undefined;
  list(): readonly ContainerRecord[];
  counts(): ContainerCounts;
  /** Counters of the container's task; undefined when it has none at this moment. */
  taskStats(id: string): Promise<TaskStats | undefined>;
  /** Spec: container summaries with their sizes on disk; those of running containers are up to ten seconds old. */
  diskUsage(): Promise<readonly ContainerUsage[]>;
  /** Publishes an event of a container, with its image, name and labels as attributes. */
  publish(containerId: string, action: string, attributes?: Readonly<Record<string, string>>): void;
  /** Ids of exec instances, which inspect shows as ExecIDs. @returns removes the source. */
  addExecs(source: (containerId: string) => readonly string[]): () => void;
  /** Health of containers that are probed, which inspect and lists show. @returns removes the source. */
  addHealth(source: (containerId: string) => Health | undefined): () => void;
  /** Called when the exit of a container's task is stored, before it is published. @returns ends the subscription. */
  onExit(listener: (containerId: string) => void): () => void;
}

/** What this host has for containers, which info shows. */
export interface ContainerHost {
  /** Limits that the kernel has here. */
  readonly limits: CgroupLimits;
  /** What confines containers, as clients know it: `apparmor`, `selinux`, `seccomp`, `cgroupns`, `rootless`, `userns`. */
  readonly securityOptions: readonly string[];
  /** The program behind `Init`; empty when the host lacks it. */
  initBinary(): string;
  /** Where devices are described by the Container Device Interface, and the qualified names of those found. */
  devices(): Promise<{ readonly specDirectories: readonly string[]; readonly names: readonly string[] }>;
}

export interface ContainerCounts {
  readonly total: number;
  readonly running: number;
  readonly paused: number;
  readonly stopped: number;
}

export { ContainerControl } from './control/container-control.js';
export type { Health, HealthProbe } from './health.js';
export { inheritVariables, unite, variableName } from './inherit.js';
export { generateName } from './names/generate-name.js';
export { resolveUser } from './oci/resolve-user.js';
export type { ExecProcessRequest } from './oci/spec-request.js';
export { ContainerProcesses, type PreparedProcess, type ProcessStart } from './processes/container-processes.js';
export type { ContainerRecord, ContainerState, MountPoint } from './record.js';
export { ContainerRoots, type HeldRoot, type NetworkFile } from './roots/container-roots.js';
export { type ContainerConfig, ContainerConfigBodySchema, type CreateBody } from './schema.js';
export { SIGKILL } from './signals.js';
export { ContainerSteps, type StepJudge, type StepOutput } from './steps/container-steps.js';
export { isAlive, isRunning } from './transitions.js';

export const ContainerService: ServicePoint<ContainerService> = servicePoint<ContainerService>('containers');

export const ContainerHost: ServicePoint<ContainerHost> = servicePoint<ContainerHost>('container-host');
