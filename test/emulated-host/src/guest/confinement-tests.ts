import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type DaemonUnderTest, needs, outputOf } from './daemon-under-test.js';
import { run } from './run.js';

/** Namespaces and mandatory access control. */
export function confinementTests({ daemon }: DaemonUnderTest): void {
  test('a private cgroup namespace on cgroup v2', needs.cgroupV2, async () => {
    const { client } = daemon();
    assert.equal(await outputOf(client, 'cat /proc/self/cgroup'), '0::/');
    const host = await outputOf(client, 'cat /proc/self/cgroup', { HostConfig: { CgroupnsMode: 'host' } as never });
    assert.match(host, /^0::\/.*[0-9a-f]{64}/);
  });

  test('AppArmor confines containers', needs.appArmor, async () => {
    const { client } = daemon();
    assert.ok((await client.info()).SecurityOptions.includes('apparmor'));
    const shown = 'cat /proc/self/attr/current';
    assert.equal(await outputOf(client, shown), 'gantry-default (enforce)');
    const unconfined = { HostConfig: { SecurityOpt: ['apparmor=unconfined'] } };
    assert.equal(await outputOf(client, shown, unconfined), 'unconfined');
    assert.equal(await outputOf(client, shown, { HostConfig: { Privileged: true } }), 'unconfined');
    // Only the profile stands between this container and the mount.
    const capable = { HostConfig: { CapAdd: ['SYS_ADMIN'], SecurityOpt: ['seccomp=unconfined'] } };
    assert.match(await outputOf(client, 'mount -t tmpfs none /mnt || mount -t tmpfs none /tmp', capable), /denied/);
  });

  test('a container has the AppArmor profile that was asked for', needs.appArmorProfiles, async () => {
    const { client } = daemon();
    const file = join(tmpdir(), 'gantry-guest-profile');
    const flags = 'flags=(attach_disconnected,mediate_deleted)';
    const rules = 'file, network, capability, signal, ptrace, umount, deny /denied w,';
    writeFileSync(file, `profile gantry-guest ${flags} { ${rules} }\n`);
    run('apparmor_parser', '--replace', '--skip-cache', file);
    try {
      const asked = { HostConfig: { SecurityOpt: ['apparmor=gantry-guest'] } };
      const output = await outputOf(client, 'cat /proc/self/attr/current; : > /allowed && : > /denied', asked);
      assert.match(output, /^gantry-guest \(enforce\)\n.*\/denied: Permission denied$/);
    } finally {
      run('apparmor_parser', '--remove', file);
    }
  });

  test('an AppArmor profile that is not loaded is refused', needs.appArmor, async () => {
    const { client } = daemon();
    const container = await client.createContainer({
      Image: 'busybox',
      HostConfig: { NetworkMode: 'none', SecurityOpt: ['apparmor=absent'] },
    });
    await assert.rejects(container.start(), /AppArmor profile "absent" is not loaded/);
    assert.equal((await container.inspect()).AppArmorProfile, 'absent');
    await container.remove();
  });
}
