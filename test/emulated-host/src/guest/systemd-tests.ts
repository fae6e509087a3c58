import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startContainer } from '@gantry/host';
import { type DaemonUnderTest, needs } from './daemon-under-test.js';
import { systemctl } from './systemctl.js';

const mebibyte = 2 ** 20;

/** The units of containers that systemd knows, in any state. */
const scopes = (): string => systemctl('list-units', '--all', '--plain', '--no-legend', 'gantry-*.scope');

/** The cgroup driver systemd. */
export function systemdTests({ daemon }: DaemonUnderTest): void {
  test('systemd has a scope for each container, with its limits', needs.systemd, async () => {
    const { client } = daemon();
    assert.equal((await client.info()).CgroupDriver, 'systemd');
    const container = await startContainer(client, {
      HostConfig: { NetworkMode: 'none', CgroupParent: 'teams-blue.slice', Memory: 64 * mebibyte, PidsLimit: 40 },
    });
    const unit = `gantry-${container.id}.scope`;
    const { Pid } = (await container.inspect()).State;
    const cgroup = /^0::(.*)$/m.exec(readFileSync(`/proc/${Pid}/cgroup`, 'utf8'))?.[1];
    assert.equal(cgroup, `/teams.slice/teams-blue.slice/${unit}`);
    const show = () => systemctl('show', unit, '-p', 'Slice', '-p', 'MemoryMax', '-p', 'TasksMax', '-p', 'Delegate');
    assert.deepEqual(show().split('\n').sort(), [
      'Delegate=yes',
      `MemoryMax=${64 * mebibyte}`,
      'Slice=teams-blue.slice',
      'TasksMax=40',
    ]);
    await container.update({ Memory: 96 * mebibyte, MemorySwap: 96 * mebibyte });
    assert.match(show(), new RegExp(`^MemoryMax=${96 * mebibyte}$`, 'm'));
    // What systemd writes again must not undo what the engine has set.
    systemctl('daemon-reload');
    await container.pause();
    assert.equal((await container.inspect()).State.Paused, true);
    await container.unpause();
    await container.remove({ force: true });
    assert.equal(scopes(), '');
  });

  test('the scope goes with the container, also after an OOM kill', needs.systemd, async () => {
    const { client } = daemon();
    const container = await client.createContainer({
      Image: 'busybox',
      Cmd: ['sh', '-c', 'x=a; while :; do x=$x$x; done'],
      HostConfig: { NetworkMode: 'none', Memory: 16 * mebibyte, MemorySwap: 16 * mebibyte },
    });
    await container.start();
    assert.equal((await container.wait()).StatusCode, 137);
    assert.equal((await container.inspect()).State.OOMKilled, true);
    await container.remove();
    assert.equal(scopes(), '');
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
