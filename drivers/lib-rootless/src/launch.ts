import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, readFileSync } from 'node:fs';
import { constants, userInfo } from 'node:os';
import { hostSocketsVariable, serveHostSockets, socketPair } from '@gantry/lib-linux/sockets';
import { delegationOf, inScope, scopeVariable } from './delegated-cgroup.js';
import { findNamespaces, openNamespaces, removeNamespaces } from './engine-namespaces.js';
import { enginePaths } from './engine-paths.js';
import { enterArguments, type Holder, isInUse } from './holder.js';
import { MissingRequirement } from './missing-requirement.js';
import { checkRequirements } from './requirements.js';

/** Where root's programs are, which the path of a user may lack. */
const systemFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Commands that look at an engine, beside the daemon itself. */
const verbs = new Set(['check', 'driver']);

/**
 * Runs the daemon's program in namespaces of the user, and exits with its code. It does not resolve.
 * @param program the file that Node runs as the daemon.
 * @param options the name that error lines begin with.
 */
export async function launch(
  program: string,
  argv: readonly string[],
  { name = 'gantryd' }: { readonly name?: string } = {},
): Promise<never> {
  try {
    process.exit(await run(program, argv));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const lead = error instanceof MissingRequirement ? 'containers of an ordinary user need more of this host: ' : '';
    process.stderr.write(`${name}: ${lead}${message}\n`);
    process.exit(1);
  }
}

async function run(program: string, argv: readonly string[]): Promise<number> {
  const { username, uid, gid, homedir } = userInfo();
  const path = [...new Set([...(process.env.PATH ?? '').split(':'), ...systemFolders])].join(':');
  const { defaults, state } = enginePaths(argv, process.env, homedir);
  const env = { ...process.env, ...defaults, PATH: path };
  const command = [process.execPath, program, ...argv];
  if (verbs.has(argv[0] ?? '')) {
    const holder = findNamespaces(state);
    const inside = holder === undefined ? command : ['nsenter', ...enterArguments(holder), ...command];
    return exitOf(start(inside, { ...env, GANTRY_ROOTLESS: `${uid}` }, 'inherit'));
  }
  checkRequirements(path);
  const delegation = delegationOf({ text: readFileSync('/proc/self/cgroup', 'utf8'), env, own: [process.pid] });
  if (delegation.kind === 'scope') {
    return exitOf(start(inScope(command), { ...env, [scopeVariable]: '1' }, 'inherit'));
  }
  const holder = await openNamespaces({ state, user: { name: username, uid, gid }, env, delegation });
  if (holder.cgroup === undefined) warnOfLimits();
  try {
    return await runDaemon(holder, command, { ...env, GANTRY_ROOTLESS: `${uid}` });
  } finally {
    if (!isInUse(holder)) removeNamespaces(state, holder);
  }
}

function warnOfLimits(): void {
  process.stderr.write(
    'gantryd: no cgroup is delegated to this user, which takes cgroup version 2 and a systemd of the user: containers run without limits, and cannot be paused\n',
  );
}

/** The daemon asks for its sockets at the host's addresses by the descriptor 3. */
async function runDaemon(holder: Holder, command: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [own, given] = socketPair();
  serveHostSockets(own);
  // A daemon without its launcher could publish no more ports.
  const inside = ['nsenter', ...enterArguments(holder), 'setpriv', '--pdeathsig', 'TERM', ...command];
  const child = start(inside, { ...env, [hostSocketsVariable]: '3' }, given);
  closeSync(given);
  return exitOf(child);
}

/** Those that are passed on. The last one says that the terminal was resized. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const;

/** In a session of its own: what a terminal sends goes to the launcher, which passes it on once. */
function start(command: readonly string[], env: NodeJS.ProcessEnv, fourth: number | 'inherit'): ChildProcess {
  const [file = '', ...args] = command;
  const stdio = ['inherit', 'inherit', 'inherit', ...(fourth === 'inherit' ? [] : [fourth])] as const;
  return spawn(file, args, { env, stdio: [...stdio], detached: true });
}

async function exitOf(child: ChildProcess): Promise<number> {
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}
