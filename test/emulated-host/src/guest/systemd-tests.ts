import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startContainer } from '@gantry/host';
import type Docker from 'dockerode';
import { type DaemonUnderTest, needs } from './daemon-under-test.js';
import { systemctl } from './systemctl.js';

const mebibyte = 2 ** 20;

/** The units of containers that systemd knows, in any state. */
const scopes = (): string => systemctl('list-units', '--all', '--plain', '--no-legend', 'gantry-*.scope');

/** Starts a shell command with little memory. */
async function startMemoryLimited(client: Docker, command: string): Promise<Docker.Container> {
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', command],
    HostConfig: { NetworkMode: 'none', Memory: 16 * mebibyte, MemorySwap: 16 * mebibyte },
  });
  await container.start();
  return container;
}

/** The cgroup driver systemd. */
export function systemdTests({ daemon }: DaemonUnderTest): void {
  test('systemd has a scope for each container, with its limits', needs.systemd, async () => {
    const { client } = daemon();
    assert.equal((await client.info()).CgroupDriver, 'systemd');
    const container = await startContainer(client, {
      HostConfig: {
        NetworkMode: 'none',
        CgroupParent: 'teams-blue.slice',
        Memory: 64 * mebibyte,
        PidsLimit: 40,
        CpuQuota: 50_000,
        CpuPeriod: 100_000,
        CpuShares: 512,
        CpusetCpus: '0',
      },
    });
    const unit = `gantry-${container.id}.scope`;
    const { Pid } = (await container.inspect()).State;
    const cgroup = /^0::(.*)$/m.exec(readFileSync(`/proc/${Pid}/cgroup`, 'utf8'))?.[1];
    assert.equal(cgroup, `/teams.slice/teams-blue.slice/${unit}`);
    const names = ['Slice', 'MemoryMax', 'TasksMax', 'Delegate', 'CPUQuotaPerSecUSec', 'CPUWeight', 'AllowedCPUs'];
    const show = () => systemctl('show', unit, ...names.flatMap((name) => ['-p', name]));
    assert.deepEqual(show().split('\n').sort(), [
      'AllowedCPUs=0',
      'CPUQuotaPerSecUSec=500ms',
      'CPUWeight=20',
      'Delegate=yes',
      `MemoryMax=${64 * mebibyte}`,
      'Slice=teams-blue.slice',
      'TasksMax=40',
    ]);
    await container.update({ Memory: 96 * mebibyte, MemorySwap: 96 * mebibyte });
    assert.match(show(), new RegExp(`^MemoryMax=${96 * mebibyte}$`, 'm'));
    // What systemd writes again must not undo what the engine has set.
    systemctl('daemon-reload');
    const limit = (file: string) => readFileSync(`/sys/fs/cgroup${cgroup}/${file}`, 'utf8').trim();
    assert.deepEqual(['memory.max', 'cpu.max', 'cpu.weight', 'cpuset.cpus', 'pids.max'].map(limit), [
      `${96 * mebibyte}`,
      '50000 100000',
      '20',
      '0',
      '40',
    ]);
    await container.pause();
    assert.equal((await container.inspect()).State.Paused, true);
    await container.unpause();
    await container.remove({ force: true });
    assert.equal(scopes(), '');
  });

  test('the scope goes with the container, and each OOM kill is reported', needs.systemd, async () => {
    const { client } = daemon();
    const untilKilled = '[ -e /killed ] && exit 3; : > /killed; x=a; while :; do x=$x$x; done';
    // systemd removes the cgroups as soon as they are empty, before or after the daemon has read them.
    for (const _ of [1, 2]) {
      const containers = await Promise.all([1, 2, 3].map(() => startMemoryLimited(client, untilKilled)));
      for (const container of containers) {
        assert.equal((await container.wait()).StatusCode, 137);
        assert.equal((await container.inspect()).State.OOMKilled, true);
      }
      for (const container of containers) {
        await container.start();
        assert.equal((await container.wait()).StatusCode, 3);
        assert.equal((await container.inspect()).State.OOMKilled, false, 'a kill of the run before does not count');
        await container.remove();
      }
      assert.equal(scopes(), '');
    }
  });

  test('with systemd a cgroup parent that is no slice is refused', needs.systemd, async () => {
    const { client } = daemon();
    const body = { Image: 'busybox', HostConfig: { CgroupParent: '/teams' } };
    await assert.rejects(client.createContainer(body), {
      statusCode: 400,
      message: /cgroup-parent for systemd cgroup should be a valid slice named as "xxx.slice"/,
    });
  });
}
