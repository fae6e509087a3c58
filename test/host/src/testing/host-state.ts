import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Daemon } from '@gantry/test-nodes';

const run = promisify(execFile);

/**
 * Everything of the host that a daemon's networks and containers take, as lines to be compared. The history of events is
 * kept on purpose, in files that come and go.
 */
export async function hostState({ directory, name, pid }: Daemon): Promise<readonly string[]> {
  const parts = await Promise.all([
    ownLinks(name),
    run('nft', ['list', 'table', 'inet', name]).then(({ stdout }) => stdout.split('\n')),
    filesBelow(path.join(directory, 'run/drivers')),
    filesBelow(path.join(directory, 'run/plugins/managed-plugins')),
    filesBelow(path.join(directory, 'data/drivers'), 2),
    filesBelow(path.join(directory, 'data/plugins'), 2).then((lines) =>
      lines.filter((line) => !line.includes('/events-')),
    ),
    mounts(directory),
    sockets(pid),
    processesBelow(directory),
    groups(name),
  ]);
  return parts.flat().sort();
}

/** The links that are marked as this daemon's, with their addresses. */
async function ownLinks(name: string): Promise<readonly string[]> {
  const { stdout } = await run('ip', ['-j', '-d', 'addr']);
  const links = JSON.parse(stdout) as { ifname: string; ifalias?: string; addr_info: { local: string }[] }[];
  return links
    .filter(({ ifalias = '' }) => ifalias.startsWith(`${name} `))
    .map(({ ifname, addr_info: addresses }) => `link ${ifname} ${addresses.map(({ local }) => local).join(' ')}`);
}

/** What is in a directory, to some depth, as lines. Nothing when it is not there. */
export async function filesBelow(directory: string, depth = 3): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const below = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(directory, entry.name);
      return [`file ${file}`, ...(entry.isDirectory() && depth > 1 ? await filesBelow(file, depth - 1) : [])];
    }),
  );
  return below.flat();
}

const mounts = async (directory: string): Promise<readonly string[]> =>
  (await readFile('/proc/self/mountinfo', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((place) => place.startsWith(directory))
    .map((place) => `mount ${place}`);

/** How many sockets the daemon holds: ports, resolvers, relays. Its connections with clients and registries do not count. */
async function sockets(pid: number): Promise<readonly string[]> {
  const before = await openSockets(pid);
  const uncounted = new Set([
    ...(await localSockets(pid)),
    ...(await netlinkSockets(pid)),
    ...(await connections(pid)),
  ]);
  // One that was closed meanwhile is in none of the tables, which were read after it had gone.
  const after = new Set(await openSockets(pid));
  return [`sockets ${before.filter((inode) => after.has(inode) && !uncounted.has(inode)).length}`];
}

/** The inodes of all sockets of a process. */
async function openSockets(pid: number): Promise<readonly string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

const localSockets = async (pid: number): Promise<readonly string[]> =>
  (await fieldsOf(`/proc/${pid}/net/unix`)).map((fields) => fields[6] ?? '');

/** Opened for a moment by each check of the networks. */
const netlinkSockets = async (pid: number): Promise<readonly string[]> =>
  (await fieldsOf(`/proc/${pid}/net/netlink`)).map((fields) => fields[9] ?? '');

/** The inodes of TCP connections of the daemon's own network namespace, without the sockets that listen. */
async function connections(pid: number): Promise<readonly string[]> {
  const listening = '0A';
  const rows = await Promise.all(['tcp', 'tcp6'].map((table) => fieldsOf(`/proc/${pid}/net/${table}`)));
  return rows.flat().flatMap(([, , , state, , , , , , inode = '']) => (state === listening ? [] : [inode]));
}

/** The words of each line of a table of the kernel. */
const fieldsOf = async (file: string): Promise<readonly (readonly string[])[]> =>
  (await readFile(file, 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));

/** The control groups of containers and plugins, in every hierarchy. */
async function groups(name: string): Promise<readonly string[]> {
  const found = await Promise.all(
    (await readdir('/sys/fs/cgroup')).map(async (controller) => {
      const parent = path.join('/sys/fs/cgroup', controller, name);
      const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
      return entries.flatMap((entry) => (entry.isDirectory() ? [`group ${path.join(parent, entry.name)}`] : []));
    }),
  );
  return found.flat();
}

/** Programs that were started with a path below the directory: monitors, runtimes. */
async function processesBelow(directory: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const lines = await Promise.all(pids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(directory)).map((line) => `process ${line.replaceAll('\0', ' ')}`);
}
