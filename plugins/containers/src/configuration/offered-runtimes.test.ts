import { setImmediate as turn } from 'node:timers/promises';
import type { RuntimeCapabilities, RuntimeDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import test from 'ava';
import { OfferedRuntimes } from './offered-runtimes.js';

const runtimesWith = (cgroupDriver: NonNullable<RuntimeCapabilities['cgroupDriver']>) =>
  new OfferedRuntimes({
    has: () => false,
    get: () => ({ capabilities: { cgroupDriver }, describe: async () => ({ runtimes: ['runc'] }) }),
  } as unknown as DriverSet<RuntimeDriver>);

test('a runtime that the driver does not have is refused', async (t) => {
  const runtimes = runtimesWith('cgroupfs');
  await turn();
  runtimes.check({ Runtime: 'runc' });
  t.throws(() => runtimes.check({ Runtime: 'absent' }), { message: 'Unknown runtime specified absent' });
});

test('with systemd a cgroup parent is a slice', (t) => {
  const runtimes = runtimesWith('systemd');
  runtimes.check({ CgroupParent: 'teams-blue.slice' });
  runtimes.check({});
  for (const CgroupParent of ['/teams', 'teams', 'teams/blue.slice', '.slice']) {
    t.throws(() => runtimes.check({ CgroupParent }), {
      message: `cgroup-parent for systemd cgroup should be a valid slice named as "xxx.slice", not "${CgroupParent}"`,
    });
  }
});

test('with cgroupfs a cgroup parent is any path', (t) => {
  t.notThrows(() => runtimesWith('cgroupfs').check({ CgroupParent: '/teams' }));
});
