import type { HostFacts } from '../host/host-facts.js';
import type { Case } from './case.js';
import { healthyHost } from './healthy-host.js';

const { cgroups, kernel, user } = healthyHost;

const optionsWithout = (...missing: readonly string[]) =>
  new Map([...(kernel.options ?? [])].filter(([name]) => !missing.includes(name)));
const inKernel = (changes: Partial<HostFacts['kernel']>) => ({ kernel: { ...kernel, ...changes } });
const inCgroups = (changes: Partial<HostFacts['cgroups']>) => ({ cgroups: { ...cgroups, ...changes } });
const ofUser = (changes: Partial<HostFacts['user']>) => ({ user: { ...user, ...changes } });
const optional = (id: string, option: string): Case => ({
  id,
  host: inKernel({ options: optionsWithout(option) }),
  level: 'ok',
  found: /^missing: .*; nothing else needs it$/,
});
/** Of the kernel and of cgroups. */
export const kernelCases: readonly Case[] = [
  {
    id: 'kernel.version',
    host: inKernel({ release: '4.19.0' }),
    level: 'warning',
    found: /^4\.19\.0$/,
    remedy: /newer/,
  },
  { id: 'kernel.version', host: inKernel({ release: '5.9.1-x' }), level: 'warning', found: /5\.9/, remedy: /newer/ },
  {
    id: 'kernel.overlayfs',
    host: inKernel({ options: optionsWithout('OVERLAY_FS') }),
    level: 'warning',
    found: /^missing: overlay$/,
    remedy: /modules of the kernel 6\.12/,
  },
  {
    id: 'kernel.nftables',
    host: inKernel({ options: optionsWithout('NFT_NAT', 'NFT_FIB') }),
    level: 'problem',
    found: /^missing: nft_nat, nft_fib$/,
    remedy: /Install the modules/,
  },
  {
    id: 'kernel.nftables',
    host: inKernel({ options: new Map([...optionsWithout(), ['NFT_NAT', 'm']]) }),
    level: 'problem',
    found: /^missing: nft_nat$/,
    remedy: /Install the modules/,
  },
  {
    id: 'kernel.nftables',
    host: inKernel({
      options: new Map([...optionsWithout(), ['NFT_NAT', 'm']]),
      installedModules: new Set(['nft_nat']),
    }),
    level: 'ok',
    found: /^there$/,
  },
  { id: 'kernel.nftables', host: inKernel({ options: undefined }), level: 'ok', found: /^unknown without .*nf_tables/ },
  {
    id: 'kernel.links',
    host: inKernel({ options: optionsWithout('VETH') }),
    level: 'problem',
    found: /^missing: veth$/,
    remedy: /Install/,
  },
  {
    id: 'kernel.vxlan',
    host: inKernel({ options: optionsWithout('VXLAN') }),
    level: 'warning',
    found: /^missing: vxlan$/,
    remedy: /Install/,
  },
  {
    id: 'kernel.vxlan',
    host: inKernel({ options: undefined, loadedModules: new Set(['vxlan']) }),
    level: 'ok',
    found: /^there$/,
  },
  {
    id: 'kernel.socket-diagnostics',
    host: inKernel({ options: optionsWithout('INET_TCP_DIAG') }),
    level: 'warning',
    found: /^missing: tcp_diag$/,
    remedy: /Install/,
  },
  optional('kernel.encryption', 'INET_ESP'),
  optional('kernel.macvlan', 'MACVLAN'),
  optional('kernel.ipvlan', 'IPVLAN'),
  optional('kernel.sctp', 'IP_SCTP'),
  {
    id: 'kernel.namespaces',
    host: inKernel({ namespaces: new Set(['mnt', 'net', 'ipc', 'uts']) }),
    level: 'problem',
    found: /^missing: pid$/,
    remedy: /Use a kernel/,
  },
  {
    id: 'kernel.namespaces',
    host: inKernel({ namespaces: new Set(['mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup']) }),
    level: 'warning',
    found: /^missing: user$/,
    remedy: /remapped/,
  },
  {
    id: 'kernel.user-namespaces',
    host: inKernel({ maxUserNamespaces: 0 }),
    level: 'warning',
    found: /is 0/,
    remedy: /sysctl -w user\.max_user_namespaces/,
  },
  {
    id: 'kernel.seccomp',
    host: inKernel({ seccompActions: [] }),
    level: 'problem',
    found: /no seccomp/,
    remedy: /CONFIG_SECCOMP_FILTER/,
  },
  {
    id: 'cgroups.version',
    host: { ...inCgroups({ mode: 'none', controllers: new Set() }), ...ofUser({ isOrdinary: false }) },
    level: 'problem',
    found: /no cgroups are mounted/,
    remedy: /sys\/fs\/cgroup/,
  },
  {
    id: 'cgroups.version',
    host: inCgroups({ mode: 'none', controllers: new Set() }),
    level: 'warning',
    found: /no cgroup is delegated/,
    remedy: /session of systemd/,
  },
  { id: 'cgroups.version', host: inCgroups({ mode: 'v1' }), level: 'warning', found: /^version 1$/, remedy: /unified/ },
  {
    id: 'cgroups.version',
    host: inCgroups({ mode: 'hybrid' }),
    level: 'warning',
    found: /empty tree of version 2/,
    remedy: /unified/,
  },
  {
    id: 'cgroups.controllers',
    host: { ...inCgroups({ controllers: new Set(['cpu', 'cpuset', 'io', 'pids']) }), ...ofUser({ isOrdinary: false }) },
    level: 'warning',
    found: /^missing: memory \(limits of memory\); there: cpu, cpuset, io, pids$/,
    remedy: /cgroup_enable=memory\.$/,
  },
  {
    id: 'cgroups.controllers',
    host: inCgroups({ controllers: new Set(['memory', 'pids']) }),
    level: 'warning',
    found: /^missing: cpu .*cpuset/,
    remedy: /Delegate=/,
  },
  {
    id: 'cgroups.driver',
    host: inCgroups({ systemd: false, driver: 'systemd' }),
    level: 'problem',
    found: /not the init system/,
    remedy: /cgroupDriver/,
  },
  {
    id: 'cgroups.driver',
    host: inCgroups({ driver: 'cgroupfs' }),
    level: 'warning',
    found: /beside systemd/,
    remedy: /cgroupDriver/,
  },
  { id: 'cgroups.driver', host: inCgroups({ systemd: false }), level: 'ok', found: /^cgroupfs$/ },
];
