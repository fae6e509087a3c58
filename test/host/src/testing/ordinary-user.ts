import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DaemonProcess, eventually, type Scope } from '@gantry/test-nodes';
import Docker from 'dockerode';

const run = promisify(execFile);

/** Ids that no user of the host has, other ones for each user. */
const firstUid = 2_000_000_000;
const firstSubordinateId = 2_100_000_000;
const idsOfEach = 65_536;
let users = 0;

const uplinkCommands = [
  'ip link add uplink type veth peer name outside',
  'ip link set outside up',
  'ip link set uplink up',
  'ip address add 198.51.100.9/24 dev uplink',
  'ip route add default via 198.51.100.1',
];

interface UserWishes {
  /** How many subordinate ids the user has. */
  readonly subordinateIds?: number;
  /** The permission bits of /dev/net/tun. */
  readonly tunMode?: string;
  /** An interface that leads outside. */
  readonly uplink?: true;
  /** Makes the user known to the host, and says where it has its runtime directory; one of the test by default. */
  logIn?(user: { readonly uid: number; readonly passwd: string; readonly group: string }): Promise<string>;
}

/** An ordinary user, known in namespaces of mounts and network of a test only. */
export class OrdinaryUser {
  private constructor(
    readonly directory: string,
    readonly uid: number,
    readonly firstSubordinate: number,
    private readonly runtimeDirectory: string,
    private readonly holder: ChildProcess,
  ) {}

  /** Everything of the user ends with the test; it fails when a process is left then. */
  static async create(
    t: Scope,
    { subordinateIds = idsOfEach, tunMode = '666', uplink, logIn }: UserWishes = {},
  ): Promise<OrdinaryUser> {
    const [uid, firstSubordinate] = [firstUid + users, firstSubordinateId + users * idsOfEach];
    users += 1;
    const directory = await mkdtemp(path.join(tmpdir(), 'gantry-rootless-'));
    await chmod(directory, 0o711);
    for (const name of ['run', 'home']) {
      await mkdir(path.join(directory, name), { mode: 0o700 });
      await chown(path.join(directory, name), uid, uid);
    }
    const additions = {
      passwd: `tester:x:${uid}:${uid}::${directory}/home:/bin/sh`,
      group: `tester:x:${uid}:`,
      subuid: `tester:${firstSubordinate}:${subordinateIds}`,
      subgid: `tester:${firstSubordinate}:${subordinateIds}`,
    };
    const runtimeDirectory =
      (await logIn?.({ uid, passwd: additions.passwd, group: additions.group })) ?? path.join(directory, 'run');
    const binds: string[] = [];
    for (const [name, line] of Object.entries(additions)) {
      const file = path.join(directory, name);
      await writeFile(file, `${await readFile(`/etc/${name}`, 'utf8')}${line}\n`);
      binds.push(`touch /etc/${name} && mount --bind ${file} /etc/${name}`);
    }
    const script = [
      'ip link set lo up',
      ...(uplink === true ? uplinkCommands : []),
      'mount -t tmpfs tmpfs /dev/net',
      `mknod -m ${tunMode} /dev/net/tun c 10 200`,
      ...binds,
      'echo ready',
      'exec sleep infinity',
    ].join(' && ');
    const holder = spawn('unshare', ['--mount', '--net', '--propagation', 'private', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const user = new OrdinaryUser(directory, uid, firstSubordinate, runtimeDirectory, holder);
    t.teardown(() => user.#remove());
    await once(holder.stdout, 'data');
    return user;
  }

  /** Programs in the user's namespaces, as root. */
  get asRoot(): readonly string[] {
    return ['nsenter', `--target=${this.holder.pid}`, '--mount', '--net'];
  }

  get asUser(): readonly string[] {
    return [...this.asRoot, 'setpriv', `--reuid=${this.uid}`, `--regid=${this.uid}`, '--clear-groups'];
  }

  get environment(): Readonly<Record<string, string>> {
    const { directory } = this;
    return {
      HOME: `${directory}/home`,
      XDG_RUNTIME_DIR: this.runtimeDirectory,
      XDG_DATA_HOME: `${directory}/home/data`,
    };
  }

  get socket(): string {
    return path.join(this.runtimeDirectory, 'gantry.sock');
  }

  get client(): Docker {
    return new Docker({ socketPath: this.socket, version: 'v1.24' });
  }

  /** The user's engine, with the paths it has by itself. */
  async engine(more: Readonly<Record<string, string>> = {}, configuration: object = {}): Promise<DaemonProcess> {
    const configFile = path.join(this.directory, 'config.json');
    await writeFile(configFile, JSON.stringify(configuration));
    const { asUser: within, environment, socket } = this;
    return new DaemonProcess({ configFile, socket, within, environment: { ...environment, ...more } });
  }

  /** What a program prints that runs in the user's network. */
  async output(...command: readonly string[]): Promise<string> {
    const [file = '', ...args] = [...this.asRoot, ...command];
    return (await run(file, args)).stdout;
  }

  /** The user's processes, by their command lines. */
  async processes(): Promise<ReadonlyMap<number, string>> {
    const { uid, firstSubordinate } = this;
    const found = new Map<number, string>();
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
      const owner = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      const isOwn = owner === uid || (owner >= firstSubordinate && owner < firstSubordinate + idsOfEach);
      if (!isOwn || /^State:\s+Z/m.test(status)) continue;
      const commandLine = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      found.set(Number(name), commandLine.replaceAll('\0', ' ').trim());
    }
    return found;
  }

  /** The daemon itself, a child of its launcher. */
  async daemonPid(): Promise<number> {
    const daemons = [...(await this.processes())].filter(([, command]) => command.includes('bin/gantryd.js'));
    return Math.max(...daemons.map(([pid]) => pid));
  }

  /** Kills all of the user's processes. Resolves when they have ended. */
  async kill(): Promise<void> {
    for (const pid of (await this.processes()).keys()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended with another one.
      }
    }
    await eventually('no process of the user is left', async () => (await this.processes()).size === 0);
  }

  async #remove(): Promise<void> {
    try {
      await eventually('no process of the user is left', async () => (await this.processes()).size === 0);
    } finally {
      for (const pid of (await this.processes()).keys()) process.kill(pid, 'SIGKILL');
      const ended = once(this.holder, 'exit');
      this.holder.kill('SIGKILL');
      await ended;
      await rm(this.directory, { recursive: true, force: true });
    }
  }
}
