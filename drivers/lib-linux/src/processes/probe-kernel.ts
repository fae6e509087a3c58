import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernelCgroups } from '../cgroups/kernel-cgroups.js';
import { kernelMounts } from '../mounts/kernel-mounts.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { kernelNetlink } from '../netlink/kernel-netlink.js';
import { kernelNftables } from '../nftables/kernel-nftables.js';
import type { KernelFeature, KernelFeatureName } from './kernel-features.js';
import { kernelProcesses } from './kernel-processes.js';

/**
 * Probes the features that containers need and reports the missing ones. Leaves nothing behind. About 20 ms the first
 * time, when the kernel may load modules.
 */
export async function probeKernel(
  options: { readonly workDirectory?: string } = {},
): Promise<readonly KernelFeature[]> {
  const directory = await mkdtemp(join(options.workDirectory ?? tmpdir(), 'probe-'));
  try {
    return [
      await check('kernel', true, probeRelease),
      await check('capabilities', true, probeCapabilities),
      await check('namespaces', true, probeNamespaces),
      await check('overlayfs', false, () => probeOverlay(directory)),
      await check('cgroup-controllers', true, probeCgroups),
      await check('seccomp', false, probeSeccomp),
      ...(await probeNetwork(join(directory, 'netns'))),
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

class Missing extends Error {}

async function check(
  name: KernelFeatureName,
  required: boolean,
  probe: () => void | Promise<void>,
): Promise<KernelFeature> {
  try {
    await probe();
    return { name, required, available: true, advice: undefined };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, required, available: false, advice: error instanceof Missing ? reason : `${name}: ${reason}` };
  }
}

/** openat2 came with 5.6, and descriptors of processes a little before. */
function probeRelease(): void {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  if (major > 5 || (major === 5 && minor >= 6)) return;
  throw new Missing(`the kernel is ${release()}: run 5.6 or later`);
}

const neededCapabilities = ['CAP_SYS_ADMIN', 'CAP_NET_ADMIN', 'CAP_MKNOD', 'CAP_CHOWN', 'CAP_SYS_CHROOT', 'CAP_KILL'];

function probeCapabilities(): void {
  const has = kernelProcesses.capabilities();
  const lacking = neededCapabilities.filter((name) => !has.has(name));
  if (lacking.length > 0) throw new Missing(`run as root: the process lacks ${lacking.join(', ')}`);
}

function probeNamespaces(): void {
  const kinds = ['mnt', 'net', 'pid', 'ipc', 'uts'];
  const lacking = kinds.filter((kind) => !kernelNamespaces.isNamespace(`/proc/self/ns/${kind}`));
  if (lacking.length > 0) {
    throw new Missing(`the kernel has no ${lacking.join(', ')} namespaces: use one built with CONFIG_NAMESPACES`);
  }
}

async function probeOverlay(directory: string): Promise<void> {
  const known = await readFile('/proc/filesystems', 'utf8');
  const place = (name: string): string => join(directory, name);
  for (const name of ['base', 'lower', 'upper', 'work', 'target']) await mkdir(place(name));
  // The probe itself may run on an overlay, which cannot be an upper directory: a tmpfs can.
  await kernelMounts.mount({ source: 'probe', target: place('base'), type: 'tmpfs', data: 'size=64k' });
  try {
    for (const name of ['lower', 'upper', 'work']) await mkdir(place(join('base', name)));
    await kernelMounts.overlay({
      lower: [place('base/lower')],
      upper: place('base/upper'),
      work: place('base/work'),
      target: place('target'),
    });
    await kernelMounts.unmount(place('target'));
  } catch (error) {
    if (/\boverlay\b/.test(known)) throw error;
    throw new Missing('overlayfs is not there: run "modprobe overlay" and add it to /etc/modules-load.d');
  } finally {
    await kernelMounts.unmount(place('base'));
  }
}

async function probeCgroups(): Promise<void> {
  const { controllers } = await kernelCgroups.layout();
  const lacking = ['cpu', 'memory', 'pids', 'devices', 'freezer'].filter((name) => !controllers.has(name));
  if (lacking.length === 0) return;
  throw new Missing(
    `no cgroup controller ${lacking.join(', ')}: mount it below /sys/fs/cgroup, ` +
      'or boot with cgroup_enable=memory where memory is missing',
  );
}

function probeSeccomp(): void {
  if (/^Seccomp:/m.test(readFileSync('/proc/self/status', 'utf8'))) return;
  throw new Missing('the kernel has no seccomp: containers run without system call filters');
}

async function probeNetwork(path: string): Promise<readonly KernelFeature[]> {
  const namespace = await check('network-namespaces', true, () => kernelNamespaces.createNetwork(path));
  if (!namespace.available) return [namespace];
  try {
    return [
      namespace,
      await check('bridge', false, () => tryLink(path, 'bridge')),
      await check('veth', false, () => tryLink(path, 'veth')),
      await check('nftables', false, () => tryNftables(path)),
    ];
  } finally {
    kernelNamespaces.removeNetwork(path);
  }
}

function tryLink(path: string, kind: 'bridge' | 'veth'): void {
  try {
    kernelNetlink.use(path, (socket) =>
      socket.addLink(kind === 'veth' ? { kind, name: 'probe0', peer: { name: 'probe1' } } : { kind, name: 'probe2' }),
    );
  } catch (cause) {
    throw new Missing(`interfaces of type ${kind} cannot be made: run "modprobe ${kind}"`, { cause });
  }
}

function tryNftables(path: string): void {
  const session = kernelNftables.open({ namespace: path });
  try {
    session.runSync(
      'add table ip probe\n' +
        'add chain ip probe out { type nat hook postrouting priority 100; }\n' +
        'add rule ip probe out masquerade\n' +
        'add chain ip probe in { type nat hook prerouting priority -100; }\n' +
        'add rule ip probe in fib daddr type local tcp dport 80 dnat to 10.0.0.1:80',
    );
  } catch (cause) {
    throw new Missing(
      'the packet filter cannot translate addresses: run "modprobe -a nf_tables nft_nat nft_fib_ipv4"',
      {
        cause,
      },
    );
  } finally {
    session.close();
  }
}
