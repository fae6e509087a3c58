import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Named places where a fault suite may end the process, to prove that the next start repairs what is half done.
 * Names are literals, each used in one place of the sources, so that a suite can find all there are.
 * Costs one comparison when nothing is armed.
 */
export type CrashPoint = (name: string) => void;

/**
 * For tests only. A point's name, with `:n` for the nth time it is reached; or `@` and the path of a file that holds
 * such a name, or nothing, and may change while the daemon runs; `:n:pid` kills another process. Beside that file, `.reached` gets a line for every
 * point that is reached.
 */
const armed = process.env.GANTRY_CRASH_AT;

/** How often the armed point was reached. */
let times = 0;

/** Dies as by `kill -9` when `GANTRY_CRASH_AT` names this point. */
export const crashPoint: CrashPoint = (name) => {
  if (armed !== undefined) reached(name, armed);
};

function reached(name: string, at: string): void {
  if (at.startsWith('@')) {
    try {
      reachedByFile(name, at.slice(1));
    } catch (error) {
      // A suite that leaves the process without descriptors looks at how the code around the point does, not at the point.
      if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
    }
    return;
  }
  const [point, nth = '1'] = at.split(':');
  if (point !== name) return;
  times += 1;
  if (times === Number(nth)) kill(process.pid);
}

/** Not in production, and about to die: this may wait for the disk. */
function reachedByFile(name: string, file: string): void {
  appendFileSync(`${file}.reached`, `${name}\n`);
  const [point, nth = '1', pid = String(process.pid)] = readFileSync(file, 'utf8').trim().split(':');
  if (point !== name) return;
  writeFileSync(file, nth === '1' ? '' : `${point}:${Number(nth) - 1}:${pid}`);
  if (nth === '1') kill(Number(pid));
}

/** A victim that has exited meanwhile needs no kill. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
