import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the user may do with cgroups. */
export type Delegation =
  /** Nothing: containers run without limits. */
  | { readonly kind: 'none' }
  /** The cgroup that this process is in is the user's, and no other processes are in it. */
  | { readonly kind: 'own'; readonly directory: string }
  /** The user's systemd can make one. */
  | { readonly kind: 'scope' };

interface CgroupSources {
  /** The text of /proc/self/cgroup. */
  readonly text: string;
  readonly root?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Processes that may be moved: this one. */
  readonly own: readonly number[];
}

/** Only version 2 can be delegated to an ordinary user: a v1 hierarchy beside it rules that out. */
export function delegationOf({ text, root = '/sys/fs/cgroup', env, own }: CgroupSources): Delegation {
  const lines = text.split('\n').filter((line) => line !== '');
  const hasFirst = lines.some((line) => !/^\d+:(name=[^:]*)?:/.test(line));
  const path = lines.find((line) => line.startsWith('0::'))?.slice(3);
  if (hasFirst || path === undefined || !existsSync(join(root, 'cgroup.controllers'))) return { kind: 'none' };
  const manager = env.XDG_RUNTIME_DIR === undefined ? undefined : join(env.XDG_RUNTIME_DIR, 'systemd/private');
  // A service's own cgroup would do only until the service is restarted, while containers are below it. The second launch
  // is in the scope that the first one asked for.
  if (manager !== undefined && existsSync(manager) && env[scopeVariable] === undefined) return { kind: 'scope' };
  const directory = join(root, path);
  return isWritable(directory) && holdsOnly(directory, own) ? { kind: 'own', directory } : { kind: 'none' };
}

/** Set for a launcher that is in a scope. */
export const scopeVariable = 'GANTRY_ROOTLESS_SCOPE';

/** A program and its arguments in a cgroup that is delegated to it. */
export const inScope = (command: readonly string[]): readonly string[] => [
  'systemd-run',
  '--user',
  '--scope',
  '--quiet',
  '--collect',
  '--property=Delegate=yes',
  '--',
  ...command,
];

/** Empties a cgroup of processes, so that it can hand controllers down. */
export function moveInto(directory: string, group: string, pids: readonly number[]): void {
  const leaf = join(directory, group);
  mkdirSync(leaf, { recursive: true });
  for (const pid of pids) writeFileSync(join(leaf, 'cgroup.procs'), `${pid}`);
}

function isWritable(directory: string): boolean {
  try {
    for (const name of ['', 'cgroup.procs', 'cgroup.subtree_control']) {
      accessSync(join(directory, name), constants.W_OK);
    }
    return true;
  } catch {
    return false;
  }
}

function holdsOnly(directory: string, own: readonly number[]): boolean {
  const pids = readFileSync(join(directory, 'cgroup.procs'), 'utf8').trim().split('\n').map(Number);
  return pids.every((pid) => own.includes(pid));
}
