import { chmod, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Docker from 'dockerode';
import { eventually } from '../eventually.js';
import type { DaemonOptions } from './daemon-options.js';
import { DaemonProcess } from './daemon-process.js';
import { loseEverything, processesNaming } from './reboot.js';
import { summarizeLog } from './summarize-log.js';
import { writeConfiguration } from './write-configuration.js';

let daemons = 0;

/** The owner of resources: a test, or another scope that ends. */
export interface Scope {
  teardown(release: () => Promise<void> | void): void;
  /** False once it has failed. */
  readonly passed?: boolean;
  log?(...lines: readonly string[]): void;
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
  /**
   * Starts again on the same roots; resolves when it answers. `crashAt` names a point where it will die, `environment` is
   * this start's alone, and `program` is the `gantryd.js` of another version, from now on.
   */
  restart(options?: {
    readonly program?: string;
    readonly crashAt?: string;
    readonly environment?: Readonly<Record<string, string>>;
  }): Promise<void>;
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

/** Starts a daemon; when the test ends it is stopped and everything of it is removed. Needs root. */
export async function startDaemon(t: Scope, options: DaemonOptions = {}): Promise<Daemon> {
  const directory = await mkdtemp(path.join(options.place ?? tmpdir(), 'gantry-host-'));
  // Root of remapped containers has to reach its root file system.
  if (options.usernsRemap !== undefined) await chmod(directory, 0o711);
  daemons += 1;
  const name = `gt${process.pid.toString(36)}${daemons}`;
  const socket = path.join(directory, 'gantry.sock');
  const configFile = await writeConfiguration({ directory, socket, name, number: daemons }, options);
  const client = new Docker({ socketPath: socket, version: 'v1.24' });
  const { environment, program, within } = options;
  const daemon = new DaemonProcess({
    configFile,
    socket,
    ...(environment && { environment }),
    ...(program && { program }),
    ...(within && { within }),
  });
  t.teardown(async () => {
    if (t.passed === false) t.log?.(`the log of ${name}\n${summarizeLog(daemon.output)}`);
    try {
      if (!daemon.isRunning) await daemon.start();
      await releaseAll(client);
      await daemon.end('SIGTERM');
      await eventually('no process is left', async () => (await processesNaming(directory)).length === 0);
      await removeDirectory(directory);
    } catch (error) {
      // Others must not find what this one left, however it failed.
      await daemon.end('SIGKILL');
      await loseEverything({ directory, name });
      await rm(directory, { recursive: true, force: true });
      throw error;
    } finally {
      await removeCgroups(name);
    }
  });
  await options.prepare?.(directory);
  await daemon.start();
  return {
    socket,
    client,
    directory,
    name,
    get pid() {
      return daemon.pid;
    },
    crash: () => daemon.end('SIGKILL'),
    restart: async ({ crashAt, environment: changed, program: other } = {}) => {
      await daemon.end('SIGTERM');
      daemon.program = other ?? daemon.program;
      await daemon.start({ ...changed, ...(crashAt !== undefined && { GANTRY_CRASH_AT: crashAt }) });
    },
    died: () => daemon.ended(),
    command: (command = '', ...args) => daemon.command(command, args),
    reboot: async () => {
      await daemon.end('SIGKILL');
      await loseEverything({ directory, name });
      await daemon.start();
    },
    get startMilliseconds() {
      return daemon.startMilliseconds;
    },
    log: () => daemon.output,
  };
}

/** Containers, networks and plugins outlive the daemon. */
async function releaseAll(client: Docker): Promise<void> {
  for (const { Id } of await client.listContainers({ all: true })) {
    await client.getContainer(Id).remove({ force: true, v: true });
  }
  for (const { Id, Scope } of await client.listNetworks({ filters: JSON.stringify({ type: ['custom'] }) })) {
    // A node that has just left its swarm forgets the networks of the swarm by itself.
    if (Scope !== 'swarm') await client.getNetwork(Id).remove();
  }
  for (const { Id } of (await client.listPlugins()) as readonly { readonly Id: string }[]) {
    await client.getPlugin(Id, '').remove({ force: true });
  }
}

/** Fails when a mount below it is left, for then it is busy. */
const removeDirectory = (directory: string): Promise<void> => rm(directory, { recursive: true, maxRetries: 0 });

/** Removes what is left of the parent of the containers' control groups. */
export async function removeCgroups(name: string): Promise<void> {
  const hierarchies = ['', ...(await readdir('/sys/fs/cgroup').catch(() => []))];
  for (const hierarchy of hierarchies) await rmdir(path.join('/sys/fs/cgroup', hierarchy, name)).catch(() => undefined);
}
