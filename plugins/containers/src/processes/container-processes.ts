import type { ExecProcess, ExecRequest } from '@gantry/core/contracts';
import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { ExecProcessRequest } from '../oci/spec-request.js';
import type { ContainerRecord } from '../record.js';

/** Runs further processes in containers, for other areas. */
export interface ContainerProcesses {
  /**
   * The container, if processes can be run in it. Rejects `not-found`; `conflict` ("Container X is not running",
   * "Container X is paused, unpause the container before exec").
   */
  requireRunning(reference: string): ContainerRecord;
  /**
   * A process with the container's environment, directory, user and capabilities filled in. Rejects as `requireRunning`,
   * and `invalid-argument` for an unknown user.
   */
  prepare(reference: string, request: ExecProcessRequest): Promise<PreparedProcess>;
}

export interface PreparedProcess {
  /** Rejects `TaskStartError` when the program cannot be started. The signal cancels the start. */
  start(request: ProcessStart, options?: { readonly signal?: AbortSignal }): Promise<ExecProcess>;
}

export type ProcessStart = Omit<ExecRequest, 'process'>;

export const ContainerProcesses: ServicePoint<ContainerProcesses> =
  servicePoint<ContainerProcesses>('container-processes');
