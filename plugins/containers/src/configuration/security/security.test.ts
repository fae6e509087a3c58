import test from 'ava';
import { hostWith, prepareHost, refusalOf } from '../../testing/configuration-fixture.js';

const option = (...SecurityOpt: string[]) => ({ SecurityOpt });
const sysctl = (name: string, more: object = {}) => ({ Sysctls: { [name]: '1' }, ...more });
const device = (more: object) => ({ Devices: [{ PathOnHost: '/dev/zero', ...more }] });

for (const [wish, words] of [
  [{ CapAdd: ['NO_SUCH_CAP'] }, 'CapAdd: unknown capability: "NO_SUCH_CAP"'],
  [{ CapDrop: ['NO_SUCH_CAP'] }, 'CapDrop: unknown capability: "NO_SUCH_CAP"'],
  [
    { CapAdd: ['SYS_RESOURCE'] },
    'CapAdd: capability not supported by your kernel or not available in the current environment: "CAP_SYS_RESOURCE"',
  ],
  [option('foo'), 'SecurityOpt: invalid --security-opt: "foo"'],
  [option('foo=bar'), 'SecurityOpt: invalid --security-opt: "foo=bar"'],
  [option('label='), 'SecurityOpt: invalid --security-opt: "label="'],
  [option('label=nested'), 'SecurityOpt: invalid --security-opt: "label=nested"'],
  [option('no-new-privileges=maybe'), 'SecurityOpt: invalid --security-opt: "no-new-privileges=maybe"'],
  [option('apparmor=mine'), 'SecurityOpt: "apparmor=mine" cannot be applied: AppArmor is not enabled on this host'],
  [option('seccomp={}'), 'SecurityOpt: the seccomp profile has no defaultAction'],
  [sysctl('vm.swappiness'), 'sysctl "vm.swappiness" is not allowed: it is not in a separate kernel namespace'],
  [sysctl('kernel.hostname'), 'sysctl "kernel.hostname" is not allowed: it is not in a separate kernel namespace'],
  [sysctl('net.'), 'sysctl "net." is not allowed: it is not in a separate kernel namespace'],
  [
    sysctl('net/../vm/swappiness'),
    'sysctl "net/../vm/swappiness" is not allowed: it is not in a separate kernel namespace',
  ],
  [
    sysctl('net.ipv4.ip_forward', { NetworkMode: 'host' }),
    `sysctl "net.ipv4.ip_forward" is not allowed in the host's network namespace`,
  ],
  [sysctl('kernel.shmmax', { IpcMode: 'host' }), `sysctl "kernel.shmmax" is not allowed in the host's IPC namespace`],
  [
    sysctl('kernel.domainname', { UTSMode: 'host' }),
    `sysctl "kernel.domainname" is not allowed in the host's UTS namespace`,
  ],
  [device({ PathOnHost: 'zero' }), 'Devices: PathOnHost "zero" is not an absolute path'],
  [device({ PathInContainer: 'zero' }), 'Devices: PathInContainer "zero" is not an absolute path'],
  [
    device({ CgroupPermissions: 'rx' }),
    'Devices: CgroupPermissions "rx" of /dev/zero: invalid device mode, it takes r, w and m',
  ],
  [{ DeviceCgroupRules: ['x'] }, "DeviceCgroupRules: invalid device cgroup rule format: 'x'"],
] as const) {
  test(`refused: ${JSON.stringify(wish)}`, (t) => {
    t.is(
      refusalOf(() => prepareHost(wish)),
      words,
    );
  });
}

test('a seccomp profile that is no JSON is refused', (t) => {
  t.regex(
    refusalOf(() => prepareHost(option('seccomp=/no/file.json'))),
    /^SecurityOpt: decoding seccomp profile failed: /,
  );
});

for (const wish of [
  { CapAdd: ['NET_ADMIN', 'cap_sys_admin', 'ALL'], CapDrop: ['chown', 'all'] },
  option('no-new-privileges', 'no-new-privileges:true', 'no-new-privileges=false'),
  option('seccomp=unconfined', 'seccomp:unconfined', 'seccomp=builtin'),
  option('seccomp={"defaultAction":"SCMP_ACT_ALLOW"}'),
  option('label=level:s0:c1,c2', 'label:disable', 'apparmor=unconfined'),
  sysctl('net.ipv4.conf.all.log_martians'),
  sysctl('net/ipv4/conf/all/log_martians'),
  sysctl('kernel.shm_rmid_forced'),
  sysctl('fs.mqueue.msg_max'),
  device({ PathInContainer: '/dev/mine', CgroupPermissions: 'rwm' }),
  device({}),
  { DeviceCgroupRules: ['c 1:* rwm'] },
]) {
  test(`kept: ${JSON.stringify(wish)}`, (t) => {
    t.like(prepareHost(wish).hostConfig, wish);
  });
}

test('an AppArmor profile needs a host that has it', (t) => {
  const wish = option('apparmor=mine');
  t.like(prepareHost(wish, { host: hostWith({}, { appArmor: true }) }).hostConfig, wish);
});

test('label options are kept for a host with SELinux', (t) => {
  const wish = option('label=level:s0:c1,c2', 'label:type=spc_t', 'label=user:u', 'label=role:r', 'label=filetype:f');
  const selinux = { process: 'u:r:container_t:s0', file: 'u:object_r:container_file_t:s0', image: '' };
  t.like(prepareHost(wish, { host: hostWith({}, { selinux }) }).hostConfig, wish);
});
