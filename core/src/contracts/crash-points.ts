/**
 * Named places where a fault suite may end the process, to prove that the next start repairs what is half done.
 * Costs one comparison when nothing is armed.
 */
export type CrashPoint = (name: string) => void;

const armed = process.env.GANTRY_CRASH_AT;

/** Dies as by `kill -9` when `GANTRY_CRASH_AT` names this point. */
export const crashPoint: CrashPoint = (name) => {
  if (armed !== undefined && armed === name) process.kill(process.pid, 'SIGKILL');
};
