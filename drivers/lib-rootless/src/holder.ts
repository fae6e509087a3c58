import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { readStartTime } from './read-start-time.js';

/** The process that keeps the namespaces of an engine while its daemon is restarted. */
export interface Holder {
  readonly pid: number;
  readonly startTime: string;
  /** The delegated cgroup at the root of their namespace of cgroups; undefined when they include none. */
  readonly cgroup?: string;
}

interface HolderRequest {
  readonly env: NodeJS.ProcessEnv;
  readonly cgroup: string | undefined;
  /** A descriptor that is open for as long as the holder runs. */
  readonly lifeline: number;
}

/**
 * Makes the namespaces. Nothing is mapped in them yet. The holder does not end with its parent: containers survive the
 * launcher as well as the daemon.
 */
export async function startHolder({ env, cgroup, lifeline }: HolderRequest): Promise<Holder> {
  const kinds = ['--user', '--mount', '--net', ...(cgroup === undefined ? [] : ['--cgroup'])];
  const script = 'echo made && exec sleep infinity >/dev/null 2>&1';
  const child = spawn('unshare', [...kinds, '--propagation', 'slave', 'sh', '-c', script], {
    env,
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe', lifeline],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const made = once(child.stdout, 'data').then(() => true);
  const failed = once(child, 'exit').then(() => false);
  if (!(await Promise.race([made, failed])) || child.pid === undefined) {
    throw new Error(`the kernel made no namespaces: ${complaint.trim()}`);
  }
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  return { pid: child.pid, startTime: readStartTime(child.pid) ?? '', ...(cgroup !== undefined && { cgroup }) };
}

export const isAlive = ({ pid, startTime }: Pick<Holder, 'pid' | 'startTime'>): boolean =>
  readStartTime(pid) === startTime;

/** The arguments of nsenter(1) that put a program into the namespaces, as root there. */
export const enterArguments = ({ pid, cgroup }: Holder): readonly string[] => [
  `--target=${pid}`,
  '--user',
  '--mount',
  '--net',
  ...(cgroup === undefined ? [] : ['--cgroup']),
];

/** Whether other processes are in the namespaces: containers and their monitors. */
export function isInUse({ pid }: Holder): boolean {
  const own = userNamespaceOf(`${pid}`);
  if (own === undefined) return false;
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name) || name === `${pid}` || userNamespaceOf(name) !== own) return false;
    // Zombies still show their namespaces.
    return readStartTime(Number(name)) !== undefined && !servesNamespaces(name);
  });
}

/** The program that connects the network has joined the namespaces, and exits with the holder. */
const servesNamespaces = (pid: string): boolean => {
  try {
    return /^(slirp4netns|pasta(\.avx2)?|passt(\.avx2)?)$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  } catch {
    return true; // it has exited meanwhile
  }
};

/** Ends the namespaces, with all mounts and links in them. */
export function endHolder(holder: Holder): void {
  if (isAlive(holder)) process.kill(holder.pid, 'SIGKILL');
}

/** Processes of other users show none. */
function userNamespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/user`);
  } catch {
    return undefined;
  }
}

/** Reads what `JSON.stringify` made of a holder. Damaged or absent: undefined. */
export function readHolder(file: string): Holder | undefined {
  try {
    const { pid, startTime, cgroup } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof startTime === 'string'
      ? { pid, startTime, ...(typeof cgroup === 'string' && { cgroup }) }
      : undefined;
  } catch {
    return undefined;
  }
}
