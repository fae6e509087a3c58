import type { EmulatedHost } from '../emulated-hosts.js';
import type { KernelImage } from '../kernel/kernel-image.js';
import { containerContexts, selinuxPolicy } from './selinux-policy.js';

interface GuestJob {
  readonly kernel: Pick<KernelImage, 'modules'>;
  readonly host: Pick<EmulatedHost, 'init' | 'name' | 'security'>;
  /** Run in this directory. */
  readonly cwd: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Of the line that ends the output, followed by the exit status of the command. */
export const exitMark = 'gantry-guest-exit';

/** Kernel modules that a host of containers has loaded sooner or later, and that the kernel does not load by itself. */
const modules = [
  ...['bridge', 'br_netfilter', 'veth', 'nf_tables', 'nft_chain_nat', 'nft_ct', 'nft_masq', 'nft_nat', 'nft_fib_inet'],
  ...['nf_conntrack_netlink', 'macvlan', 'ipvlan', 'dummy', 'tun', 'sctp', 'loop', 'fuse', 'quota_v2', 'xfs'],
];

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The commands that every guest needs, whatever its first process is. */
const prepareDisk = ({ kernel, host }: GuestJob): string => `
mountpoint -q /sys/kernel/security || mount -t securityfs securityfs /sys/kernel/security
mkdir -p /lib/modules /data
mount --bind ${quote(kernel.modules)} /lib/modules
mount -o prjquota /dev/vda /data
mkdir -p -m 1777 /data/tmp
for module in ${modules.join(' ')}; do modprobe -q $module; done
ip link set lo up
${host.security === 'selinux' ? loadPolicy : ''}`;

/** Loads the policy, and enforces it. The kernel takes it in one piece. */
const loadPolicy = `
mount -t selinuxfs selinuxfs /sys/fs/selinux
mkdir -p /etc/selinux/gantry/contexts
echo SELINUXTYPE=gantry > /etc/selinux/config
cat > /etc/selinux/gantry/contexts/lxc_contexts <<'CONTEXTS'
${containerContexts}CONTEXTS
cat > /run/policy.cil <<'POLICY'
${selinuxPolicy}
POLICY
secilc -M 1 -c "$(cat /sys/fs/selinux/policyvers)" -o /run/policy -f /dev/null /run/policy.cil
dd if=/run/policy of=/sys/fs/selinux/load bs=16M 2> /dev/null
echo 1 > /sys/fs/selinux/enforce
`;

const runCommand = ({ cwd, command, environment }: GuestJob): string => `
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TMPDIR=/data/tmp
${Object.entries(environment)
  .map(([name, value]) => `export ${name}=${quote(value)}`)
  .join('\n')}
cd ${quote(cwd)}
stty -F /dev/ttyS1 raw -echo
${command.map(quote).join(' ')} > /dev/ttyS1 2>&1 < /dev/null
echo "${exitMark} $?" > /dev/ttyS1
sync
echo o > /proc/sysrq-trigger
sleep 60
`;

/** Without an init system, as in the initial RAM disk's care: the script is the first process to the end. */
const scriptInit = (job: GuestJob): string => `
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ln -sfn /proc/self/fd /dev/fd
for link in stdin:0 stdout:1 stderr:2; do ln -sfn "/proc/self/fd/\${link#*:}" "/dev/\${link%:*}"; done
mkdir -p /dev/pts /dev/shm /dev/mqueue
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t mqueue mqueue /dev/mqueue
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t tmpfs run /run
mkdir -p /run/lock
mount --make-rshared /
hostname ${job.host.name}
${prepareDisk(job)}
${runCommand(job)}
`;

/** systemd mounts the file systems and starts the message bus; the command runs as a service of it. */
const systemdInit = (job: GuestJob): string => `
units=/etc/systemd/system
rm -rf $units/*
: > /etc/fstab
# /tmp is this machine's, which may be large and hold the project: it is not emptied.
mkdir -p /etc/tmpfiles.d
: > /etc/tmpfiles.d/tmp.conf
: > /etc/machine-id
echo ${job.host.name} > /etc/hostname
cat > $units/gantry-guest.target <<'UNIT'
[Unit]
Requires=gantry-guest.service
Wants=dbus.socket dbus.service
UNIT
cat > $units/gantry-guest.service <<'UNIT'
[Unit]
After=dbus.service systemd-journald.service
[Service]
Type=oneshot
Delegate=yes
TimeoutStartSec=infinity
TasksMax=infinity
LimitNOFILE=524288
ExecStart=/bin/bash /run/gantry-guest-command
UNIT
ln -sfn $units/gantry-guest.target $units/default.target
mkdir -p /etc/systemd/system.conf.d
printf '[Manager]\\nDefaultDeviceTimeoutSec=5s\\nDefaultTimeoutStartSec=900s\\n' > /etc/systemd/system.conf.d/gantry.conf
mount -t tmpfs run /run
systemd-sysusers
cat > /run/gantry-guest-command <<'COMMAND'
${prepareDisk(job)}
${runCommand(job)}
COMMAND
exec /lib/systemd/systemd --show-status=0 --log-target=kmsg --log-level=notice
`;

/** The first program of the guest after its initial RAM disk. */
export const guestScript = (job: GuestJob): string =>
  job.host.init === 'systemd' ? systemdInit(job) : scriptInit(job);
