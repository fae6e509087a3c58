import type { Processes } from '@gantry/lib-linux/processes';
import { type Static, Type } from '@sinclair/typebox';

/** Identifies a process even when its number is reused. */
export const processIdentitySchema = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  /** Clock ticks after boot. */
  startTime: Type.Number(),
});

export type ProcessIdentity = Static<typeof processIdentitySchema>;

/** Undefined when there is no such process. */
export function identify(processes: Processes, pid: number): ProcessIdentity | undefined {
  const status = processes.status(pid);
  return status === undefined ? undefined : { pid, startTime: status.startTime };
}

export const isAlive = (processes: Processes, { pid, startTime }: ProcessIdentity): boolean =>
  processes.isAlive(pid, startTime);

/** Sends a signal to just this process. False when it no longer exists. */
export const signal = (processes: Processes, process: ProcessIdentity, number: number): boolean =>
  isAlive(processes, process) && processes.kill(process.pid, number);

export const SIGKILL = 9;
