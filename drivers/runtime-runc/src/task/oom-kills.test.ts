import { silentLogger } from '@gantry/core/driver';
import type { Cgroups } from '@gantry/lib-linux/cgroups';
import type { MemoryKill } from '@gantry/lib-linux/kernel-log';
import test from 'ava';
import { layoutBelow } from '../layout.js';
import { OomKills } from './oom-kills.js';
import { Task } from './task.js';
import type { TaskRecord } from './task-record.js';

const scope = '/system.slice/gantry-one.scope';

/** Counts with a cgroup that has this counter, and what the kernel logged. */
function countKills(counter: number | undefined, logged: readonly MemoryKill[] | Error, cgroup = scope) {
  const group = { memoryKills: async () => counter };
  const kernelLog = {
    memoryKills: () => {
      if (logged instanceof Error) throw logged;
      return logged;
    },
  };
  const kills = new OomKills({ group: async () => group } as unknown as Cgroups, kernelLog, silentLogger);
  const record = { cgroup, first: { pid: 500, startTime: 1 } } as TaskRecord;
  return kills.count(new Task('one', layoutBelow('/state').task('one'), { status: 'running', record }));
}

test('kills in a scope that systemd has removed are counted by the log of the kernel', async (t) => {
  t.is(await countKills(undefined, [{ cgroup: scope, pid: 500 }]), 1);
  t.is(await countKills(undefined, [{ cgroup: `/elsewhere${scope}/below`, pid: 501 }]), 1);
  t.is(await countKills(undefined, [{ cgroup: scope, pid: 499 }]), 0, 'an earlier run of the container');
  t.is(await countKills(undefined, [{ cgroup: '/system.slice/gantry-other.scope', pid: 500 }]), 0);
  t.is(await countKills(undefined, new Error('EPERM')), 0);
});

test('the counter of a cgroup that is left is what counts', async (t) => {
  t.is(await countKills(2, new Error('not to be read')), 2);
  t.is(await countKills(0, [{ cgroup: scope, pid: 500 }]), 0);
  t.is(await countKills(undefined, new Error('not to be read'), '/gantry/one'), 0);
});
