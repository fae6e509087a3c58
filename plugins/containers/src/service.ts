import type { OciProcess, RuntimeDriver, TaskStats } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { Health } from './interfaces.js';
import type { ContainerRecord } from './record.js';

/** What other areas may do with containers: look them up, and run further processes in them. */
export interface ContainerService {
  /**
   * By full id, name (with or without slash), then unique id prefix. Rejects `not-found` ("No such container: X"),
   * `internal` ("Multiple IDs found with provided prefix: X").
   */
  get(reference: string): ContainerRecord;
  /** By full id; undefined when there is none. */
  find(id: string): ContainerRecord | undefined;
  /** Counters of the container's task; undefined when it has none at this moment. */
  taskStats(id: string): Promise<TaskStats | undefined>;
  list(): readonly ContainerRecord[];
  counts(): ContainerCounts;
  /**
   * A running container to run a process in. Rejects `conflict` ("Container X is not running", "Container X is
   * paused, unpause the container before exec").
   */
  execTarget(reference: string): ExecTarget;
  /** Says that something happened to a container, with its image, name and labels as attributes. */
  publish(containerId: string, action: string, attributes?: Readonly<Record<string, string>>): void;
  /** Ids of exec instances, which inspect shows as ExecIDs. @returns takes the source out again. */
  addExecs(source: (containerId: string) => readonly string[]): () => void;
  /** Health of containers that are probed, which inspect and the list show. @returns takes the source out again. */
  addHealth(source: (containerId: string) => Health | undefined): () => void;
  /** Told when a container's task has ended, before its exit is published. @returns ends the subscription. */
  onExit(listener: (containerId: string) => void): () => void;
}

export interface ContainerCounts {
  readonly total: number;
  readonly running: number;
  readonly paused: number;
  readonly stopped: number;
}

export interface ExecTarget {
  readonly container: ContainerRecord;
  readonly runtime: RuntimeDriver;
  /** The process for an exec, with the container's environment, directory, user and capabilities filled in. */
  process(request: ExecProcessRequest): Promise<OciProcess>;
}

export interface ExecProcessRequest {
  readonly args: readonly string[];
  readonly env?: readonly string[];
  readonly workingDir?: string;
  /** `user`, `user:group`, `uid`, `uid:gid`; undefined is the container's. */
  readonly user?: string;
  readonly privileged: boolean;
  readonly terminal: boolean;
}

export { inheritVariables, unite, variableName } from './inherit.js';
export type { Health, HealthProbe } from './interfaces.js';
export { resolveUser } from './oci/user.js';
export type { ContainerRecord, ContainerState, MountPoint } from './record.js';
export { ContainerRoots, type HeldRoot, type NetworkFile } from './roots/container-roots.js';
export { type ContainerConfig, ContainerConfigBodySchema, type CreateBody } from './schema.js';
export { SIGKILL } from './signals.js';
export { ContainerSteps, type StepOutput } from './steps.js';
export { isAlive, isRunning } from './transitions.js';

export const ContainerService: ServicePoint<ContainerService> = servicePoint<ContainerService>('containers');
