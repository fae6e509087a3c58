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
  /** Clock ticks after boot. With the boot id and the pid it tells one process from every other. */
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
  /** Whether a process is there and not a zombie; with its start time, whether it is still that one. */
  isAlive(pid: number, startTime?: number): boolean;
  /** Absent: undefined. */
  status(pid: number): ProcessStatus | undefined;
  /**
   * From now on a process that is woken lets the one that runs go on to the end of its time, for what gets more done the
   * more it finds to do. Its children are as others. False: it has gone, may not be changed, or has its own rule.
   */
  letOthersGoOn(pid: number): boolean;
  /** Orphans below this process become its children. It must then wait for them. */
  becomeSubreaper(): void;
  /** Without it, other processes of the same user may not look into this one's memory. */
  setDumpable(dumpable: boolean): void;
  getLimit(resource: LimitedResource): ResourceLimit;
  /** Throws `EPERM` when the hard limit would be raised without the right to. */
  setLimit(resource: LimitedResource, limit: ResourceLimit): void;
  /** Raises the soft limit of open files to the hard one, and that to `wanted` if we may. @returns what is now. */
  raiseOpenFiles(wanted?: number): ResourceLimit;
  /** Effective ones of this process: `CAP_SYS_ADMIN`. */
  capabilities(): ReadonlySet<string>;
}

export const Processes = servicePoint<Processes>('linux.processes', { fallback: () => kernelProcesses });
