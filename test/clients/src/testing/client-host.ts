import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Daemon, type Scope, startDaemon } from '@gantry/test-nodes';

/** The programs of this package that are not modules: scripts and projects of clients. */
export const programs = fileURLToPath(new URL('../../programs', import.meta.url));

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly signal?: AbortSignal;
}

/** A daemon in a network namespace of its own, and the clients beside it. */
export interface ClientHost {
  readonly daemon: Daemon;
  /** The environment of clients: where the daemon is, and no settings of this host's user. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a client in the daemon's network namespace, to its end. Standard input is empty. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** The same for a client that has to succeed. @returns what it wrote to standard output. */
  succeed(command: string, args: readonly string[], options?: RunOptions): Promise<string>;
  /** Runs a module of `src/programs`. @returns the facts that it wrote as JSON. */
  session(program: string, environment?: Readonly<Record<string, string>>): Promise<unknown>;
}

interface HostOptions {
  /** Sections of the daemon's configuration. */
  readonly plugins?: Readonly<Record<string, object>>;
  readonly extraPackages?: readonly string[];
}

export async function startClientHost(
  t: Scope,
  { plugins = {}, extraPackages = [] }: HostOptions = {},
): Promise<ClientHost> {
  const daemon = await startDaemon(t, {
    plugins,
    extraPackages,
    within: ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'],
  });
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: daemon.directory,
    // Clients leave locks and caches there.
    TMPDIR: daemon.directory,
    DOCKER_HOST: `unix://${daemon.socket}`,
    LC_ALL: 'C.UTF-8',
  };
  const run: ClientHost['run'] = (command, args, { environment: more = {}, directory, signal } = {}) =>
    new Promise((resolve) => {
      const words = [`--net=/proc/${daemon.pid}/ns/net`, `--wd=${directory ?? daemon.directory}`, command, ...args];
      const options = {
        env: { ...environment, ...more },
        timeout: 240_000,
        maxBuffer: 2 ** 26,
        ...(signal && { signal }),
      };
      const child = execFile('nsenter', words, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr });
      });
      child.stdin?.end();
    });
  const succeed: ClientHost['succeed'] = async (command, args, options) => {
    const { code, stdout, stderr } = await run(command, args, options);
    if (code !== 0)
      throw new Error(`${path.basename(command)} ${args.join(' ')} exited with ${code}: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    daemon,
    environment,
    run,
    succeed,
    session: async (program, more = {}) => {
      const file = fileURLToPath(new URL(`../programs/${program}.fixture.js`, import.meta.url));
      return JSON.parse(await succeed(process.execPath, ['--enable-source-maps', file], { environment: more }));
    },
  };
}
