import type { Finding } from '../finding.js';
import type { KernelFacts } from '../host/host-facts.js';
import { type Feature, sortFeatures } from './kernel-features.js';
import { Subject } from './subject.js';

const oldest = [5, 10] as const;

/** Every container has one of each. */
const required = ['mnt', 'pid', 'net', 'ipc', 'uts'];
const optional = ['cgroup', 'user'];

/** What the kernel has to be built with, and what is lost without it. */
const features: readonly {
  readonly subject: Subject;
  readonly features: readonly Feature[];
  readonly absence: 'problem' | 'warning' | 'ok';
}[] = [
  {
    subject: new Subject(
      'kernel.overlayfs',
      'overlayfs',
      'Layers of images are mounted over each other. Without it each container gets a copy of all files of its image.',
    ),
    features: [{ option: 'OVERLAY_FS', module: 'overlay' }],
    absence: 'warning',
  },
  {
    subject: new Subject(
      'kernel.nftables',
      'nftables',
      'Published ports, address translation and the separation of networks are rules of nftables.',
    ),
    features: [
      { option: 'NF_TABLES', module: 'nf_tables' },
      { option: 'NF_TABLES_INET' },
      { option: 'NFT_CT', module: 'nft_ct' },
      { option: 'NFT_NAT', module: 'nft_nat' },
      { option: 'NFT_MASQ', module: 'nft_masq' },
      { option: 'NFT_FIB', module: 'nft_fib' },
    ],
    absence: 'problem',
  },
  {
    subject: new Subject(
      'kernel.links',
      'bridges and pairs of links',
      'Networks of the driver bridge consist of them.',
    ),
    features: [
      { option: 'BRIDGE', module: 'bridge' },
      { option: 'VETH', module: 'veth' },
    ],
    absence: 'problem',
  },
  {
    subject: new Subject('kernel.vxlan', 'VXLAN', 'Overlay networks of a swarm connect its nodes by it.'),
    features: [{ option: 'VXLAN', module: 'vxlan' }],
    absence: 'warning',
  },
  {
    subject: new Subject(
      'kernel.socket-diagnostics',
      'diagnostics of sockets',
      'A node of a swarm learns from them that packets to its manager are lost; without them it waits 15 s for an answer.',
    ),
    features: [
      { option: 'INET_DIAG', module: 'inet_diag' },
      { option: 'INET_TCP_DIAG', module: 'tcp_diag' },
    ],
    absence: 'warning',
  },
  {
    subject: new Subject(
      'kernel.encryption',
      'ESP and the egress hook',
      'Encryption between nodes in the kernel: xfrm with ESP, and a rule that lets nothing out in the clear.',
    ),
    features: [
      { option: 'XFRM_USER', module: 'xfrm_user' },
      { option: 'INET_ESP', module: 'esp4' },
      { option: 'NETFILTER_EGRESS' },
    ],
    absence: 'ok',
  },
  {
    subject: new Subject('kernel.macvlan', 'macvlan', 'Only networks of the driver macvlan need it.'),
    features: [{ option: 'MACVLAN', module: 'macvlan' }],
    absence: 'ok',
  },
  {
    subject: new Subject('kernel.ipvlan', 'ipvlan', 'Only networks of the driver ipvlan need it.'),
    features: [{ option: 'IPVLAN', module: 'ipvlan' }],
    absence: 'ok',
  },
  {
    subject: new Subject('kernel.sctp', 'SCTP', 'Only published SCTP ports need it.'),
    features: [{ option: 'IP_SCTP', module: 'sctp' }],
    absence: 'ok',
  },
];

export function checkKernel(kernel: KernelFacts): readonly Finding[] {
  return [
    checkVersion(kernel),
    ...features.map((each) => checkFeatures(each, kernel)),
    checkNamespaces(kernel),
    checkUserNamespaces(kernel),
    checkSeccomp(kernel),
  ];
}

function checkVersion({ release }: KernelFacts): Finding {
  const subject = new Subject('kernel.version', 'Linux', `Gantry is tested on Linux ${oldest.join('.')} and later.`);
  const [major = 0, minor = 0] = release.split('.').map(Number.parseFloat);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return isOld
    ? subject.warning(release, 'Use a newer kernel: what fails on this one may be the reason of its age.')
    : subject.ok(release);
}

function checkFeatures(
  { absence, features: wanted, subject }: (typeof features)[number],
  kernel: KernelFacts,
): Finding {
  const { missing, unknown } = sortFeatures(wanted, kernel);
  if (missing.length > 0) {
    const found = `missing: ${missing.join(', ')}`;
    if (absence === 'ok') return subject.ok(`${found}; nothing else needs it`);
    return subject[absence](found, `Install the modules of the kernel ${kernel.release}, or a kernel that has them.`);
  }
  // The kernel loads a module when it is first used, so that its absence now says nothing.
  if (unknown.length > 0) return subject.ok(`unknown without the configuration of the kernel: ${unknown.join(', ')}`);
  return subject.ok('there');
}

function checkNamespaces({ namespaces }: KernelFacts): Finding {
  const subject = new Subject(
    'kernel.namespaces',
    'namespaces',
    'They keep containers apart from each other and the host.',
  );
  const absent = (names: readonly string[]): readonly string[] => names.filter((name) => !namespaces.has(name));
  if (absent(required).length > 0) {
    return subject.problem(`missing: ${absent(required).join(', ')}`, 'Use a kernel that has these namespaces.');
  }
  if (absent(optional).length > 0) {
    return subject.warning(
      `missing: ${absent(optional).join(', ')}`,
      'Use a kernel that has them: without user, ids cannot be remapped; without cgroup, containers see the names of the host’s groups.',
    );
  }
  return subject.ok([...required, ...optional].join(', '));
}

function checkUserNamespaces({ maxUserNamespaces }: KernelFacts): Finding {
  const subject = new Subject(
    'kernel.user-namespaces',
    'limit of user namespaces',
    'Ordinary users’ engines, and containers whose ids are remapped, have one each.',
  );
  if (maxUserNamespaces === undefined) return subject.ok('this kernel has no limit');
  if (maxUserNamespaces > 0) return subject.ok(String(maxUserNamespaces));
  return subject.warning(
    'user.max_user_namespaces is 0',
    'Run "sysctl -w user.max_user_namespaces=28633" to use them.',
  );
}

function checkSeccomp({ seccompActions }: KernelFacts): Finding {
  const subject = new Subject(
    'kernel.seccomp',
    'seccomp',
    'Containers may only call the kernel in ways that their profile allows.',
  );
  return seccompActions.includes('errno') && seccompActions.includes('allow')
    ? subject.ok('there')
    : subject.problem(
        'this kernel has no seccomp filters',
        'Use a kernel with CONFIG_SECCOMP_FILTER. Without it containers start only with --security-opt seccomp=unconfined.',
      );
}
