import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { refused, unconfined } from '../emulated-hosts.js';
import { type DaemonUnderTest, isOrdinary, needs, outputOf } from './daemon-under-test.js';
import { run } from './run.js';

/** Namespaces and mandatory access control. */
export function confinementTests({ daemon }: DaemonUnderTest): void {
  test('a private cgroup namespace on cgroup v2', needs.cgroupV2, async () => {
    const { client } = daemon();
    assert.equal(await outputOf(client, 'cat /proc/self/cgroup'), '0::/');
    const host = await outputOf(client, 'cat /proc/self/cgroup', { HostConfig: { CgroupnsMode: 'host' } as never });
    assert.match(host, /^0::\/.*[0-9a-f]{64}/);
  });

  test('AppArmor confines containers', needs.appArmor, async (t) => {
    const { client } = daemon();
    const shown = 'cat /proc/self/attr/current';
    assert.equal((await client.info()).SecurityOptions.includes('apparmor'), !isOrdinary);
    if (isOrdinary) {
      assert.equal(await outputOf(client, shown), unconfined);
      return t.skip(unconfined);
    }
    assert.equal(await outputOf(client, shown), 'gantry-default (enforce)');
    for (const HostConfig of [{ SecurityOpt: ['apparmor=unconfined'] }, { Privileged: true }])
      assert.equal(await outputOf(client, shown, { HostConfig }), 'unconfined');
    // Only the profile stands between this container and the mount.
    const capable = { HostConfig: { CapAdd: ['SYS_ADMIN'], SecurityOpt: ['seccomp=unconfined'] } };
    assert.match(await outputOf(client, 'mount -t tmpfs none /mnt || mount -t tmpfs none /tmp', capable), /denied/);
  });

  test('a container has the AppArmor profile that was asked for', needs.appArmorProfiles, async (t) => {
    const { client } = daemon();
    if (isOrdinary) {
      const wish = { Image: 'busybox', HostConfig: { SecurityOpt: ['apparmor=gantry-default'] } };
      await assert.rejects(client.createContainer(wish), { statusCode: 400, message: /AppArmor is not enabled/ });
      return t.skip(refused);
    }
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
    const wish = { Image: 'busybox', HostConfig: { NetworkMode: 'none', SecurityOpt: ['apparmor=absent'] } };
    if (isOrdinary) return assert.rejects(client.createContainer(wish), /AppArmor is not enabled/);
    const container = await client.createContainer(wish);
    await assert.rejects(container.start(), /AppArmor profile "absent" is not loaded/);
    assert.equal((await container.inspect()).AppArmorProfile, 'absent');
    await container.remove();
  });
}
