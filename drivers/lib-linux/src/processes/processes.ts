import { servicePoint } from '@gantry/core/points';
import { kernelProcesses } from './kernel-processes.js';
export interface ProcessStatus {
  readonly pid: number;
  /** The program's name, at most 15 bytes. */
  readonly command: string;
  /** One letter, as ps(1) prints it: R S D Z T t X I. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks after boot. With the boot id and the pid it identifies a process. */
  readonly startTime: number;
}

export interface ResourceLimit {
  /** Infinity: unlimited. */
  readonly soft: number;
  readonly hard: number;
}

export type LimitedResource =
  | 'AS'
  | 'CORE'
  | 'CPU'
  | 'DATA'
  | 'FSIZE'
  | 'LOCKS'
  | 'MEMLOCK'
  | 'MSGQUEUE'
  | 'NICE'
  | 'NOFILE'
  | 'NPROC'
  | 'RSS'
  | 'RTPRIO'
  | 'RTTIME'
  | 'SIGPENDING'
  | 'STACK';

/** Processes of the host. */
export interface Processes {
  /** False when there is no such process. Negative: the process group. Throws LinuxError `EPERM`, `EINVAL`. */
  kill(pid: number, signal: number): boolean;
  /** Whether a process exists and is not a zombie; with its start time, whether it is the same process. */
  isAlive(pid: number, startTime?: number): boolean;
  /** Absent: undefined. */
  status(pid: number): ProcessStatus | undefined;
  /**
   * Sets SCHED_BATCH: a process that wakes up does not preempt the running one, which suits programs that process more
   * data per wake-up. Children are not affected. False: it has exited, may not be changed, or has another policy.
   */
  setBatchScheduling(pid: number): boolean;
  /** Orphaned descendants become children of this process, which must wait for them. */
  becomeSubreaper(): void;
  /** Without it, other processes of the same user cannot read this process's memory. */
  setDumpable(dumpable: boolean): void;
  getLimit(resource: LimitedResource): ResourceLimit;
  /** Throws `EPERM` when raising the hard limit is not permitted. */
  setLimit(resource: LimitedResource, limit: ResourceLimit): void;
  /** Raises the soft limit of open files to the hard one, and that to `wanted` when permitted. @returns the resulting limit. */
  raiseOpenFiles(wanted?: number): ResourceLimit;
  /** Effective ones of this process: `CAP_SYS_ADMIN`. */
  capabilities(): ReadonlySet<string>;
}

export const Processes = servicePoint<Processes>('linux.processes', { fallback: () => kernelProcesses });
