import type { EngineFacts } from '../engine-facts.js';
import type { HostFacts } from '../host/host-facts.js';

const builtIn = [
  'OVERLAY_FS',
  'NF_TABLES',
  'NF_TABLES_INET',
  'NFT_CT',
  'NFT_NAT',
  'NFT_MASQ',
  'NFT_FIB',
  'BRIDGE',
  'VETH',
  'VXLAN',
  'INET_DIAG',
  'INET_TCP_DIAG',
  'XFRM_USER',
  'INET_ESP',
  'NETFILTER_EGRESS',
  'MACVLAN',
  'IPVLAN',
  'IP_SCTP',
];

const programs = ['conmon', 'crun', 'runc', 'ps', 'xz', 'bzip2', 'zstd', 'tini-static', 'etcd', 'etcdctl'];

/** A host and a daemon of which nothing is wrong. */
export const healthyHost: HostFacts = {
  kernel: {
    release: '6.12.0-1-amd64',
    options: new Map(builtIn.map((option) => [option, 'y'])),
    loadedModules: new Set(),
    installedModules: new Set(),
    filesystems: new Set(['ext4', 'overlay']),
    namespaces: new Set(['mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup', 'user']),
    maxUserNamespaces: 28_633,
    seccompActions: ['errno', 'log', 'allow'],
  },
  cgroups: {
    mode: 'v2',
    controllers: new Set(['cpu', 'cpuset', 'io', 'memory', 'pids']),
    systemd: true,
    driver: undefined,
  },
  storage: {
    dataRoot: '/var/lib/gantry',
    directory: '/var/lib/gantry',
    filesystem: 'ext4',
    isReadOnly: false,
    totalBytes: 100 * 2 ** 30,
    availableBytes: 50 * 2 ** 30,
    totalFiles: 1_000_000,
    freeFiles: 900_000,
  },
  firewall: {
    isReadable: true,
    failure: undefined,
    tables: ['inet gantry'],
    ownTable: 'gantry',
    forwardChains: [{ family: 'inet', table: 'gantry', drops: false }],
    firewalld: false,
    ufw: false,
    legacyTables: [],
    ipForward: true,
    setsForwarding: true,
  },
  clock: {
    now: Date.UTC(2027, 0, 10),
    builtAt: Date.UTC(2027, 0, 1),
    newestData: Date.UTC(2027, 0, 10),
    synchronized: true,
  },
  user: {
    uid: 1000,
    name: 'ada',
    isOrdinary: true,
    namespacesRefused: undefined,
    idFailures: [],
    runtimeDirectory: '/run/user/1000',
    canOpenTun: true,
    programs: new Set(['newuidmap', 'newgidmap', 'unshare', 'nsenter', 'setpriv', 'pasta']),
  },
  programs: programs.map((name) => ({ name, path: `/usr/bin/${name}`, version: '1.2.3' })),
};

export const healthyEngine: EngineFacts = {
  packages: [
    {
      name: 'storage/overlayfs',
      package: '@gantry/storage-overlayfs',
      version: '1.0.0',
      state: 'ready',
      isDefault: true,
    },
    { name: 'storage/vfs', package: '@gantry/storage-vfs', version: '1.0.0', state: 'ready' },
  ],
  orphans: [],
  leaks: { since: Date.UTC(2027, 0, 7) },
  descriptors: { open: 40, limit: 1_048_576 },
};
