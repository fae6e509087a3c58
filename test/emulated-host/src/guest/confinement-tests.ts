import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DaemonUnderTest, needs, outputOf } from './daemon-under-test.js';

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
