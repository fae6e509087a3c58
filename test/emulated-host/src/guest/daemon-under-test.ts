import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import type { OrdinaryUser } from '@gantry/host';
import { hasAppArmor } from '@gantry/lib-linux/app-armor';
import { kernelQuotas } from '@gantry/lib-linux/quotas';
import type { Daemon } from '@gantry/test-nodes';
import type Docker from 'dockerode';
import {
  crashingSmbServer,
  withoutAppArmor,
  withoutQuotas,
  withoutSELinux,
  withoutSmbServer,
  withoutSystemd,
  withoutUser,
} from '../emulated-hosts.js';

/** What a group of tests gets: one daemon for all of them, since a start takes half a minute in emulation. */
export interface DaemonUnderTest {
  readonly daemon: () => Pick<Daemon, 'client' | 'command' | 'crash' | 'restart'>;
  /** What a server answers to a client on the daemon's host; undefined when none answers. */
  get(url: string): Promise<string | undefined>;
  /** Ends the engine of an ordinary user, and starts it again after `work`. Rejects for a daemon of root. */
  withoutEngine(work: (user: OrdinaryUser) => Promise<void>): Promise<void>;
  /** Stops the daemon and removes everything of it. Rejects when something stays. */
  end(): Promise<void>;
}

/** The daemon is one of an ordinary user. */
export const isOrdinary = process.env.GANTRY_ORDINARY_USER === '1';

const confines = await hasAppArmor();
const noQuota = await kernelQuotas.unavailableReason(tmpdir());

export const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers');

/** Only guests are asked to run services and firewalls: nothing that they change stays. */
const isGuest = readFileSync('/proc/cmdline', 'utf8').includes('gantry.guest=');
const runsSystemd = existsSync('/run/systemd/system');

/** The daemon's cgroup is its own. That of an ordinary user has one in guests with systemd. */
export const hasDelegatedCgroup = isOrdinary && isGuest && runsSystemd;
const hasModule = (name: string): boolean => spawnSync('modprobe', ['--dry-run', '--quiet', name]).status === 0;
const withoutCgroup = isOrdinary && !hasDelegatedCgroup;
const changesHost = isGuest && !isOrdinary ? false : 'changes the host';

const noSmbServer = hasModule('ksmbd') ? release().startsWith('6.1.') && crashingSmbServer : withoutSmbServer;

/** Tests of what a real host may lack, which the table of hosts then shows as absent. Emulated hosts lack none of it. */
export const needs = {
  cgroupV2: { skip: isUnified ? false : 'cgroup v1' },
  cgroups: { skip: withoutCgroup ? 'no delegated cgroup' : false },
  devices: { skip: isOrdinary ? 'devices are those of the user' : false },
  hostNetwork: { skip: isOrdinary ? "the engine's networks are not the host's" : false },
  sctp: { skip: isOrdinary || existsSync('/proc/net/sctp') ? false : 'no SCTP' },
  projectQuotas: { skip: noQuota === undefined ? false : withoutQuotas },
  projects: { skip: noQuota === undefined ? (isOrdinary ? 'sizes are refused' : false) : withoutQuotas },
  systemd: { skip: runsSystemd ? (isOrdinary ? "the user's cgroups are made by the engine" : false) : withoutSystemd },
  remapping: { skip: isOrdinary ? 'containers already have ids of the user' : false },
  leaks: { skip: isGuest ? false : 'other engines may run' },
  swarm: { skip: changesHost },
  ipvlan: { skip: isOrdinary || existsSync('/sys/module/ipvlan') ? false : 'no ipvlan' },
  ordinaryUser: { skip: isOrdinary ? false : withoutUser },
  userManager: { skip: isOrdinary ? (hasDelegatedCgroup ? false : 'no systemd of the user') : withoutUser },
  nfs: { skip: changesHost },
  smb: { skip: changesHost || noSmbServer },
  ufw: { skip: changesHost },
  firewalld: { skip: changesHost || (runsSystemd ? false : withoutSystemd) },
  resolved: { skip: changesHost || (runsSystemd ? false : withoutSystemd) },
  selinux: { skip: existsSync('/sys/fs/selinux/enforce') ? changesHost : withoutSELinux },
  appArmor: { skip: confines ? false : withoutAppArmor },
  appArmorProfiles: { skip: confines ? !isOrdinary && changesHost : withoutAppArmor },
} as const;

/** Milliseconds: twenty times what the driver allows on real machines. */
export const slowDeadlines = {
  ...{ create: 400_000, start: 200_000, exec: 400_000 },
  ...{ exit: 200_000, control: 200_000, probe: 200_000 },
};

/** An answer as the engine sends it, with what the client library leaves out. */
export const dial = <T>(client: Docker, path: string, options: object): Promise<T> =>
  new Promise((resolve, reject) => {
    const request = { path, method: 'POST', options, statusCodes: { 200: true, 201: true } };
    client.modem.dial(request as never, (error, data) => (error ? reject(error) : resolve(data as T)));
  });

/** Runs a shell command as a container of its own and returns what it wrote. The container is removed. */
export async function outputOf(
  client: Docker,
  command: string,
  options: Partial<Docker.ContainerCreateOptions> = {},
): Promise<string> {
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', command],
    Tty: true,
    ...options,
    HostConfig: { NetworkMode: 'none', ...options.HostConfig },
  });
  try {
    await container.start();
    await container.wait();
    const log = (await container.logs({ stdout: true, stderr: true })) as unknown as Buffer;
    return log.toString().replaceAll('\r', '').trimEnd();
  } finally {
    await container.remove({ force: true });
  }
}
