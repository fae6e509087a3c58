import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import Docker from 'dockerode';
import { eventually } from './eventually.js';
import { loseEverything, processesNaming } from './reboot.js';

const program = fileURLToPath(new URL('../../../../core/bin/gantryd.js', import.meta.url));
const base = fileURLToPath(new URL('../../../../core/default-config.json', import.meta.url));

let daemons = 0;

/** What gives back what was taken in it: a test, or anything else that ends. */
export interface Scope {
  teardown(giveBack: () => Promise<void> | void): void;
}

/** A real daemon on roots of its own. */
export interface Daemon {
  readonly socket: string;
  readonly client: Docker;
  readonly directory: string;
  /** Of its default bridge, its table of the packet filter and its control groups. */
  readonly name: string;
  /** Of the process that runs now. */
  readonly pid: number;
  /** Dies as by `kill -9`; resolves when it is dead. */
  crash(): Promise<void>;
  /** Starts again on the same roots; resolves when it answers. `crashAt` names a point where it will die. */
  restart(options?: { readonly crashAt?: string }): Promise<void>;
  /** Resolves when it has died by itself. */
  died(): Promise<void>;
  /** Runs `gantryd` with a command for this daemon; resolves to what it said, and how it ended. */
  command(...args: string[]): Promise<{ readonly code: number | null; readonly said: string }>;
  /** Everything that runs is gone, and with it all that a boot does not bring back; then the daemon starts. */
  reboot(): Promise<void>;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMilliseconds: number;
  /** What it wrote to its log so far. */
  log(): string;
}

export interface DaemonOptions {
  /** Configuration of further drivers. */
  readonly drivers?: Readonly<Record<string, object>>;
  /** Configuration of further plugins, or more of those every daemon of tests has. */
  readonly plugins?: Readonly<Record<string, object>>;
  /** Of the daemon's process, beside this one's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where its roots are made; the default is the directory for temporary files. */
  readonly place?: string;
  readonly logLevel?: string;
}

/** Starts a daemon; when the test ends it is stopped and everything of it is removed. Needs root. */
export async function startDaemon(t: Scope, options: DaemonOptions = {}): Promise<Daemon> {
  const directory = await mkdtemp(path.join(options.place ?? tmpdir(), 'gantry-host-'));
  daemons += 1;
  const name = `gt${process.pid.toString(36)}${daemons}`;
  const configFile = path.join(directory, 'gantry.json');
  const socket = path.join(directory, 'gantry.sock');
  const defaults = JSON.parse(await readFile(base, 'utf8'));
  await writeFile(
    configFile,
    JSON.stringify({
      defaults: defaults.defaults,
      dataRoot: path.join(directory, 'data'),
      execRoot: path.join(directory, 'run'),
      logLevel: options.logLevel ?? 'debug',
      drivers: {
        'network/bridge': { defaultBridge: name, table: name },
        'network/macvlan': { owner: name },
        'runtime/runc': { cgroupParent: `/${name}` },
        'ipam/default': { pools: poolsOf(daemons) },
        ...options.drivers,
      },
      plugins: {
        'external-plugins': { socketDirectories: [path.join(directory, 'plugins')], specDirectories: [] },
        'managed-plugins': { cgroupParent: `/${name}` },
        containers: { cgroupParent: `/${name}` },
        ...options.plugins,
        'engine-api': { hosts: [`unix://${socket}`], ...options.plugins?.['engine-api'] },
      },
    }),
  );
  const client = new Docker({ socketPath: socket, version: 'v1.24' });
  let child: ChildProcess;
  let output = '';
  let startMilliseconds = 0;
  const start = async (environment: NodeJS.ProcessEnv = {}): Promise<void> => {
    const began = performance.now();
    child = spawn(process.execPath, [program, '--config', configFile], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...options.environment, ...environment },
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await untilAnswering(socket, child, () => output);
    startMilliseconds = performance.now() - began;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit', { signal: AbortSignal.timeout(30_000) });
  };
  t.teardown(async () => {
    try {
      if (child.exitCode !== null || child.signalCode !== null) await start();
      await giveBack(client);
      await end('SIGTERM');
      await eventually('no process is left', async () => (await processesNaming(directory)).length === 0);
      await removeDirectory(directory);
    } catch (error) {
      // Others must not find what this one left, however it failed.
      await end('SIGKILL');
      await loseEverything({ directory, name });
      await rm(directory, { recursive: true, force: true });
      throw error;
    } finally {
      await removeCgroups(name);
    }
  });
  await start();
  return {
    socket,
    client,
    directory,
    name,
    get pid() {
      return child.pid ?? 0;
    },
    crash: () => end('SIGKILL'),
    restart: async ({ crashAt } = {}) => {
      await end('SIGTERM');
      await start(crashAt === undefined ? {} : { GANTRY_CRASH_AT: crashAt });
    },
    died: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
    command: async (command, ...args) => {
      const words = [program, command ?? '', '--config', configFile, ...args];
      const run = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = once(run, 'exit');
      const said = await text(run.stdout);
      const [code] = await exit;
      return { code, said };
    },
    reboot: async () => {
      await end('SIGKILL');
      await loseEverything({ directory, name });
      await start();
    },
    get startMilliseconds() {
      return startMilliseconds;
    },
    log: () => output,
  };
}

/** Containers, networks and plugins outlive the daemon. */
async function giveBack(client: Docker): Promise<void> {
  for (const { Id } of await client.listContainers({ all: true })) {
    await client.getContainer(Id).remove({ force: true, v: true });
  }
  for (const { Id } of await client.listNetworks({ filters: JSON.stringify({ type: ['custom'] }) })) {
    await client.getNetwork(Id).remove();
  }
  for (const { Id } of (await client.listPlugins()) as readonly { readonly Id: string }[]) {
    await client.getPlugin(Id, '').remove({ force: true });
  }
}

/**
 * Subnets of its own, for two daemons that look for free ones at the same moment find the same: eight of 126 addresses
 * by the process and the daemon, and what all have when these are used up.
 */
function poolsOf(daemon: number): readonly { base: string; size: number }[] {
  const block = process.pid % 640;
  const own = `10.${128 + Math.floor(block / 8)}.${(block % 8) * 32 + (daemon % 8) * 4}.0/22`;
  return [
    { base: own, size: 25 },
    { base: '192.168.0.0/16', size: 20 },
  ];
}

/** Resolves when a daemon answers on a socket; rejects when its process ends before. */
export async function untilAnswering(socket: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await answers(socket))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the daemon ended: ${output()}`);
    if (Date.now() > deadline) throw new Error(`the daemon does not answer: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    request({ socketPath, path: '/_ping' }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .end();
  });
}

/** Fails when a mount below it is left, for then it is busy. */
const removeDirectory = (directory: string): Promise<void> => rm(directory, { recursive: true, maxRetries: 0 });

/** Removes what is left of the parent of the containers' control groups. */
export async function removeCgroups(name: string): Promise<void> {
  const controllers = await readdir('/sys/fs/cgroup').catch(() => []);
  for (const controller of controllers)
    await rmdir(path.join('/sys/fs/cgroup', controller, name)).catch(() => undefined);
}
