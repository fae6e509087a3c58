import { spawnSync } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { SetupError } from './setup-error.mjs';
import { systemPath } from './system-path.mjs';

/**
 * Every Debian package Gantry needs from the host, with the reason. `present` looks for what the
 * package brings, not for the package: a conmon built by hand is as good as Debian's.
 */
const table = [
  { name: 'conmon', for: 'start', why: "holds a container's stdio and exit code", present: () => program('conmon') },
  { name: 'runc', for: 'start', why: 'makes the container from its bundle', present: () => program('runc') },
  { name: 'crun', for: 'start', why: 'makes it faster, where it works', present: () => program('crun') },
  { name: 'libnftables1', for: 'start', why: 'applies firewall rules', present: () => library('libnftables.so.1') },
  { name: 'procps', for: 'start', why: 'ps, for the processes of a container', present: () => program('ps') },
  { name: 'xz-utils', for: 'start', why: 'unpacks xz layers', present: () => program('xz') },
  { name: 'bzip2', for: 'start', why: 'unpacks bzip2 layers', present: () => program('bzip2') },
  { name: 'zstd', for: 'start', why: 'unpacks zstd layers', present: () => program('zstd') },
  {
    name: 'busybox-static',
    for: 'start',
    why: 'the programs of the starter image',
    present: () => staticProgram('busybox'),
  },
  {
    name: 'tini',
    for: 'start',
    why: 'process 1 of containers with an init',
    present: () => staticProgram('tini-static'),
  },
  {
    name: 'uidmap',
    for: 'test',
    rootless: true,
    why: 'gives an ordinary user more ids',
    present: () => program('newuidmap') && program('newgidmap'),
  },
  {
    name: 'slirp4netns',
    for: 'test',
    rootless: true,
    why: "connects an ordinary user's containers to the network",
    present: () => program('slirp4netns') || program('pasta'),
  },
  {
    name: 'passt',
    for: 'test',
    why: 'pasta, the other program that connects them',
    present: () => program('pasta'),
  },
  {
    name: 'etcd-server',
    for: 'swarm',
    why: 'keeps the records of a swarm',
    present: () => program('etcd'),
  },
  {
    name: 'etcd-client',
    for: 'swarm',
    why: 'recovers a swarm of which only the second manager is left',
    present: () => program('etcdctl'),
  },
  { name: 'gpgv', for: 'test', why: 'checks signatures by GPG keys', present: () => program('gpgv') },
  { name: 'gpg', for: 'test', why: 'makes them', present: () => program('gpg') && program('gpgconf') },
  { name: 'skopeo', for: 'test:clients', why: 'a client that copies images', present: () => program('skopeo') },
  { name: 'nftables', for: 'test', why: 'nft, to read the rules back', present: () => program('nft') },
  { name: 'iproute2', for: 'test', why: 'ip, to make and look at namespaces and links', present: () => program('ip') },
  {
    name: 'e2fsprogs',
    for: 'test',
    why: 'a disk that fails',
    present: () => program('mkfs.ext4') && program('chattr'),
  },
  { name: 'socat', for: 'test', why: 'a slow link between two nodes', present: () => program('socat') },
  { name: 'ethtool', for: 'test', why: 'whole frames on that link', present: () => program('ethtool') },
  {
    name: 'faketime',
    for: 'test',
    why: "another clock of a node's engine",
    present: () => program('faketime'),
  },
  { name: 'strace', for: 'test', why: 'lets calls of the daemon to the kernel fail', present: () => program('strace') },
  { name: 'openssl', for: 'test', why: 'a certificate to test TLS with', present: () => program('openssl') },
  {
    name: 'docker-registry',
    for: 'test',
    why: 'a registry to pull from and push to',
    present: () => program('docker-registry'),
  },
  {
    name: 'systemd',
    for: 'test',
    why: 'a journal of its own, for the log driver journald',
    present: () => existsSync('/lib/systemd/systemd-journald') && program('journalctl'),
  },
  { name: 'git', for: 'test', why: 'imports Git repositories, and keeps imported ones', present: () => program('git') },
  { name: 'git-lfs', for: 'test', why: 'takes large files out of imports', present: () => program('git-lfs') },
  { name: 'subversion', for: 'test', why: 'fetches Subversion sources', present: () => program('svnrdump') },
  { name: 'apache2-bin', for: 'test', why: 'serves Subversion sources over HTTP', present: () => program('apache2') },
  {
    name: 'libapache2-mod-svn',
    for: 'test',
    why: 'serves Subversion sources over HTTP',
    present: () => existsSync('/usr/lib/apache2/modules/mod_dav_svn.so'),
  },
  {
    name: 'svn-all-fast-export',
    for: 'test',
    why: 'makes commits of Subversion revisions',
    present: () => program('svn-all-fast-export'),
  },
  { name: 'mercurial', for: 'test', why: 'fetches Mercurial sources', present: () => program('hg') },
  {
    name: 'mercurial-git',
    for: 'test',
    why: 'makes commits of Mercurial changesets',
    present: () => existsSync('/usr/lib/python3/dist-packages/hggit'),
  },
  {
    name: 'chromium-headless-shell',
    for: 'test',
    why: 'shows the pages of the console and of the second API',
    present: () => program('chromium-headless-shell'),
  },
  { name: 'prometheus', for: 'test', why: 'promtool, which checks metrics', present: () => program('promtool') },
  { name: 'gh', for: 'test', why: 'a client of the second API', present: () => program('gh') },
  {
    name: 'python3-github',
    for: 'test',
    why: 'a client of the second API',
    present: () => existsSync('/usr/lib/python3/dist-packages/github'),
  },
  {
    name: 'python3-docker',
    for: 'test',
    why: 'a client of the engine',
    present: () => existsSync('/usr/lib/python3/dist-packages/docker'),
  },
  {
    name: 'ansible-core',
    for: 'test:clients',
    why: 'a client of the engine',
    present: () => program('ansible-playbook'),
  },
  { name: 'docker-compose', for: 'test', why: 'a client of the engine', present: () => program('docker-compose') },
  ...(process.env.GANTRY_EMULATED_HOSTS === 'off'
    ? []
    : [
        {
          name: 'qemu-system-x86',
          for: 'test',
          why: 'emulates hosts with stock kernels',
          present: () => program('qemu-system-x86_64'),
        },
        { name: 'cpio', for: 'test', why: 'packs their initial RAM disk', present: () => program('cpio') },
        { name: 'kmod', for: 'test', why: 'finds their kernel modules', present: () => program('depmod') },
        {
          name: 'apparmor',
          for: 'test',
          why: 'loads their AppArmor profiles',
          present: () => program('apparmor_parser'),
        },
        { name: 'dbus', for: 'test', why: 'the message bus of their systemd', present: () => program('dbus-daemon') },
        { name: 'xfsprogs', for: 'test:host', why: 'makes their disks', present: () => program('mkfs.xfs') },
      ]),
];

function program(name) {
  return systemPath()
    .split(':')
    .map((folder) => `${folder}/${name}`)
    .find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A dynamically linked program names its loader in its first page; such a one is no use inside an empty image. */
function staticProgram(name) {
  const file = program(name);
  if (file === undefined) return false;
  const page = Buffer.alloc(4096);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, page, 0, page.length, 0);
  closeSync(descriptor);
  return !/\/ld-(linux|musl)/.test(page.toString('latin1'));
}

function library(name) {
  const roots = ['/usr/lib', '/lib', '/usr/lib64', '/lib64', '/usr/local/lib'].filter((folder) => existsSync(folder));
  const architectures = roots.flatMap((root) =>
    readdirSync(root)
      .filter((entry) => entry.includes('-linux-gnu'))
      .map((entry) => `${root}/${entry}`),
  );
  return [...roots, ...architectures].some((folder) => existsSync(`${folder}/${name}`));
}

const needs = {
  start: ['start'],
  swarm: ['swarm'],
  test: ['start', 'swarm', 'test'],
  'test:clients': ['start', 'swarm', 'test', 'test:clients'],
  'test:host': ['start', 'swarm', 'test', 'test:host'],
};

/**
 * Installs what is missing for `purpose`, saying each package and why first. What only a swarm needs is not installed for
 * a start: `npm run swarm` installs it, and making a swarm without it says so.
 * Touches the package lists only when something is missing, and starts no service.
 */
export function installSystemPackages(purpose) {
  const needed = needs[purpose];
  const isRootless = process.getuid() !== 0;
  const isNeeded = (entry) => needed.includes(entry.for) || (isRootless && entry.rootless && purpose !== 'swarm');
  const missing = table.filter((entry) => isNeeded(entry) && !entry.present());
  if (missing.length === 0) return;
  const names = missing.map((entry) => entry.name);
  if (program('apt-get') === undefined) {
    throw new SetupError(`missing ${names.join(', ')}, and there is no apt-get here: install them by hand`);
  }
  if (process.getuid() !== 0) {
    throw new SetupError(`missing ${names.join(', ')}: run as root, or run "sudo apt-get install ${names.join(' ')}"`);
  }
  for (const { name, why } of missing) console.log(`installing ${name}: ${why}`);
  withoutStartingServices(() => {
    const update = apt('update');
    const install = apt('install', '-y', '--no-install-recommends', ...names);
    if (install.status !== 0) {
      throw new SetupError(`apt-get could not install ${names.join(', ')}: ${reason(install) ?? reason(update)}`);
    }
  });
  const still = missing.filter((entry) => !entry.present()).map((entry) => entry.name);
  if (still.length > 0)
    throw new SetupError(`installed ${still.join(', ')}, but the programs they should bring are missing`);
}

function apt(...args) {
  return spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=120', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  });
}

function reason({ error, stderr, status }) {
  if (error) return error.message;
  const complaint = stderr.split('\n').find((line) => line.startsWith('E: '));
  return complaint?.slice(3) ?? (status === 0 ? undefined : `exit code ${status}`);
}

/**
 * Debian's maintainer scripts consult /usr/sbin/policy-rc.d before they start a service, and no
 * environment variable. Where the host has no policy, one that refuses is in place during the installation.
 */
function withoutStartingServices(install) {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return install();
  const remove = () => rmSync(policy, { force: true });
  const interrupted = () => {
    remove();
    process.exit(1);
  };
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return install();
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    remove();
  }
}
