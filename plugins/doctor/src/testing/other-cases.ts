import type { Level } from '../finding.js';
import type { HostFacts } from '../host/host-facts.js';
import type { Case } from './case.js';
import { healthyEngine, healthyHost } from './healthy-host.js';

const { clock, firewall, kernel, programs, storage, user } = healthyHost;
const gibibyte = 2 ** 30;

const inKernel = (changes: Partial<HostFacts['kernel']>) => ({ kernel: { ...kernel, ...changes } });
const inStorage = (changes: Partial<HostFacts['storage']>) => ({ storage: { ...storage, ...changes } });
const inFirewall = (changes: Partial<HostFacts['firewall']>) => ({ firewall: { ...firewall, ...changes } });
const inClock = (changes: Partial<HostFacts['clock']>) => ({ clock: { ...clock, ...changes } });
const ofUser = (changes: Partial<HostFacts['user']>) => ({ user: { ...user, ...changes } });
const withoutProgram = (...missing: readonly string[]) => ({
  programs: programs.map((program) => (missing.includes(program.name) ? { ...program, path: undefined } : program)),
});
const outOfUserPrograms = (...missing: readonly string[]) =>
  ofUser({ programs: new Set([...user.programs].filter((name) => !missing.includes(name))) });
const failed = { package: 'p', version: '1.0.0', state: 'failed', reason: 'it broke' } as const;

const program = (name: string, level: Level, remedy?: RegExp): Case => ({
  id: `programs.${name}`,
  host: withoutProgram(name),
  level,
  found: /^not installed$/,
  ...(remedy && { remedy }),
});

/** Of all that is not the kernel's. */
export const otherCases: readonly Case[] = [
  {
    id: 'storage.filesystem',
    host: inStorage({ filesystem: 'tmpfs' }),
    level: 'warning',
    found: /tmpfs: \/var\/lib\/gantry is in memory/,
    remedy: /on a disk/,
  },
  {
    id: 'storage.filesystem',
    host: inStorage({ filesystem: 'overlayfs' }),
    level: 'warning',
    found: /is an overlay itself/,
    remedy: /on a disk/,
  },
  {
    id: 'storage.filesystem',
    host: inStorage({ directory: '/var/lib' }),
    level: 'ok',
    found: /yet to be made in \/var\/lib$/,
  },
  {
    id: 'storage.writable',
    host: inStorage({ isReadOnly: true }),
    level: 'problem',
    found: /read-only/,
    remedy: /mount it/,
  },
  {
    id: 'storage.space',
    host: inStorage({ availableBytes: 4 * gibibyte }),
    level: 'warning',
    found: /^4\.0 of 100\.0 GiB \(4 %\)$/,
    remedy: /prune/,
  },
  {
    id: 'storage.space',
    host: inStorage({ availableBytes: 0.5 * gibibyte }),
    level: 'problem',
    found: /\(0 %\)/,
    remedy: /prune/,
  },
  { id: 'storage.files', host: inStorage({ freeFiles: 40_000 }), level: 'warning', found: /\(4 %\)/, remedy: /inodes/ },
  {
    id: 'storage.files',
    host: inStorage({ freeFiles: 100 }),
    level: 'problem',
    found: /^100 of 1000000/,
    remedy: /inodes/,
  },
  { id: 'storage.files', host: inStorage({ freeFiles: 0, totalFiles: 0 }), level: 'ok', found: /no limit/ },
  {
    id: 'firewall.table',
    host: inFirewall({ failure: 'ENOENT: libnftables.so.1' }),
    level: 'problem',
    found: /libnftables\.so\.1/,
    remedy: /apt-get install/,
  },
  { id: 'firewall.table', host: inFirewall({ tables: [] }), level: 'ok', found: /^none yet/ },
  { id: 'firewall.table', host: inFirewall({ isReadable: false, tables: [] }), level: 'ok', found: /only root/ },
  { id: 'firewall.others', host: inFirewall({ ufw: true }), level: 'warning', found: /ufw/, remedy: /ufw route allow/ },
  {
    id: 'firewall.others',
    host: inFirewall({ forwardChains: [{ family: 'ip', table: 'filter', drops: true }] }),
    level: 'warning',
    found: /in ip filter$/,
    remedy: /gantry0/,
  },
  { id: 'firewall.others', host: inFirewall({ firewalld: true }), level: 'ok', found: /firewalld/ },
  {
    id: 'firewall.legacy',
    host: inFirewall({ legacyTables: ['filter', 'nat'] }),
    level: 'warning',
    found: /filter, nat/,
    remedy: /iptables-legacy -S/,
  },
  {
    id: 'firewall.forwarding',
    host: inFirewall({ ipForward: false, setsForwarding: false }),
    level: 'problem',
    found: /is 0/,
    remedy: /sysctl -w net\.ipv4\.ip_forward=1/,
  },
  { id: 'firewall.forwarding', host: inFirewall({ ipForward: false }), level: 'ok', found: /the engine sets it/ },
  { id: 'clock.time', host: inClock({ now: 0 }), level: 'problem', found: /^1970/, remedy: /Set the clock/ },
  {
    id: 'clock.time',
    host: inClock({ now: Date.UTC(2026, 11, 24) }),
    level: 'problem',
    found: /this engine is of 2027-01-01/,
    remedy: /Set the clock/,
  },
  {
    id: 'clock.time',
    host: inClock({ newestData: Date.UTC(2027, 0, 11) }),
    level: 'warning',
    found: /data of 2027-01-11.*went back/,
    remedy: /Set the clock/,
  },
  {
    id: 'clock.synchronized',
    host: inClock({ synchronized: false }),
    level: 'warning',
    found: /nothing keeps/,
    remedy: /chrony/,
  },
  { id: 'user.account', host: ofUser({ isOrdinary: false }), level: 'ok', found: /^root/ },
  {
    id: 'user.namespaces',
    host: ofUser({ namespacesRefused: 'kernel.unprivileged_userns_clone=0' }),
    level: 'problem',
    found: /clone=0/,
    remedy: /clone=1"/,
  },
  {
    id: 'user.namespaces',
    host: ofUser({ namespacesRefused: 'kernel.apparmor_restrict_unprivileged_userns=1' }),
    level: 'problem',
    found: /apparmor/,
    remedy: /userns=0"/,
  },
  {
    id: 'user.ids',
    host: ofUser({ idFailures: ['/etc/subuid has none'] }),
    level: 'problem',
    found: /subuid/,
    remedy: /65,536/,
  },
  {
    id: 'user.programs',
    host: outOfUserPrograms('newuidmap', 'newgidmap'),
    level: 'problem',
    found: /^missing: newuidmap, newgidmap$/,
    remedy: /apt-get install uidmap"/,
  },
  { id: 'user.network', host: outOfUserPrograms('pasta'), level: 'problem', found: /neither/, remedy: /passt/ },
  { id: 'user.network', host: ofUser({ canOpenTun: false }), level: 'problem', found: /tun/, remedy: /modprobe/ },
  {
    id: 'user.runtime-directory',
    host: ofUser({ runtimeDirectory: undefined }),
    level: 'problem',
    found: /not set/,
    remedy: /enable-linger/,
  },
  { id: 'user.overlays', host: inKernel({ release: '5.10.3' }), level: 'warning', found: /5\.10/, remedy: /newer/ },
  program('conmon', 'problem', /install conmon/),
  {
    id: 'programs.runtime',
    host: withoutProgram('crun', 'runc'),
    level: 'problem',
    found: /^none of crun, runc/,
    remedy: /install crun/,
  },
  { id: 'programs.runtime', host: withoutProgram('crun'), level: 'ok', found: /^runc: \/usr\/bin\/runc, 1\.2\.3$/ },
  program('ps', 'warning', /procps/),
  program('xz', 'warning', /xz-utils/),
  program('bzip2', 'warning', /bzip2/),
  program('zstd', 'warning', /zstd/),
  program('tini-static', 'warning', /tini/),
  program('etcd', 'ok'),
  program('etcdctl', 'ok'),
  {
    id: 'engine.packages',
    engine: { packages: [...healthyEngine.packages, { name: 'log/x', ...failed }] },
    level: 'warning',
    found: /^log\/x: it broke$/,
    remedy: /cause/,
  },
  {
    id: 'engine.storage',
    engine: {
      packages: [
        { name: 'storage/overlayfs', ...failed, state: 'skipped', reason: 'it is a tmpfs' },
        { name: 'storage/vfs', package: 'p', version: '1.0.0', state: 'ready', isDefault: true },
      ],
    },
    level: 'warning',
    found: /^vfs, since it is a tmpfs$/,
    remedy: /reason/,
  },
  {
    id: 'engine.orphans',
    engine: { orphans: ['a', 'b', 'c', 'd'].map((name) => ({ name, owner: 'images', what: 'layer' })) },
    level: 'warning',
    found: /^layer a of images, layer b of images, layer c of images, and 1 more$/,
    remedy: /gantryd check --remove/,
  },
  { id: 'engine.orphans', level: 'ok', found: /^none, and none since the first look 3 days ago$/ },
  {
    id: 'engine.orphans',
    engine: { leaks: { since: 0, last: clock.now - 3_600_000 } },
    level: 'ok',
    found: /the last ones were found 1 hour ago$/,
  },
  {
    id: 'engine.descriptors',
    engine: { descriptors: { open: 900, limit: 1024 } },
    level: 'warning',
    found: /^900 of 1024$/,
    remedy: /LimitNOFILE/,
  },
];
