import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { runIn, startContainer } from '@gantry/host';
import { eventually } from '@gantry/test-nodes';
import { type DaemonUnderTest, needs } from './daemon-under-test.js';

const mebibyte = 2 ** 20;

/** The lifecycle of a container with its limits, an OOM kill, and pause. */
export function lifecycleTests({ daemon }: DaemonUnderTest): void {
  test('run, exit status and logs', async () => {
    const { client } = daemon();
    const container = await client.createContainer({
      Image: 'busybox',
      Cmd: ['sh', '-c', 'echo out; exit 3'],
      Tty: true,
      HostConfig: { NetworkMode: 'none' },
    });
    await container.start();
    assert.equal((await container.wait()).StatusCode, 3);
    const log = (await container.logs({ stdout: true })) as unknown as Buffer;
    assert.equal(log.toString().trim(), 'out');
    await container.remove();
  });

  test('a limit of memory, changed while the container runs', needs.cgroups, async () => {
    const { client } = daemon();
    const limit = 'cat /sys/fs/cgroup/memory.max 2>/dev/null || cat /sys/fs/cgroup/memory/memory.limit_in_bytes';
    const container = await startContainer(client, {
      HostConfig: { NetworkMode: 'none', Memory: 32 * mebibyte, MemorySwap: 32 * mebibyte },
    });
    assert.equal((await runIn(container, limit)).output.trim(), `${32 * mebibyte}`);
    await container.update({ Memory: 64 * mebibyte, MemorySwap: 64 * mebibyte });
    assert.equal((await runIn(container, limit)).output.trim(), `${64 * mebibyte}`);
    await container.remove({ force: true });
  });

  test('an OOM kill is reported', needs.cgroups, async () => {
    const { client } = daemon();
    const since = Math.floor(Date.now() / 1000) - 1;
    const container = await client.createContainer({
      Image: 'busybox',
      Cmd: ['sh', '-c', 'x=a; while :; do x=$x$x; done'],
      HostConfig: { NetworkMode: 'none', Memory: 16 * mebibyte, MemorySwap: 16 * mebibyte },
    });
    await container.start();
    await container.wait();
    const { State } = await container.inspect();
    assert.deepEqual([State.OOMKilled, State.ExitCode], [true, 137]);
    const until = Math.ceil(Date.now() / 1000) + 1;
    const filters = { container: [container.id], event: ['oom'] };
    const events = await text((await client.getEvents({ since, until, filters })) as never);
    assert.equal(JSON.parse(events.split('\n')[0] ?? '').Action, 'oom');
    await container.remove();
  });

  test('pause stops the processes, unpause continues them', needs.cgroups, async () => {
    const { client } = daemon();
    const container = await startContainer(client, {
      Cmd: ['sh', '-c', 'while :; do echo line; sleep 0.2; done'],
      Tty: true,
      HostConfig: { NetworkMode: 'none' },
    });
    const lines = async () =>
      ((await container.logs({ stdout: true })) as unknown as Buffer).toString().split('\n').length;
    await eventually('the first line', async () => (await lines()) > 1);
    await container.pause();
    assert.equal((await container.inspect()).State.Paused, true);
    const paused = await lines();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // A line may have been on its way through the monitor.
    assert.ok((await lines()) <= paused + 1);
    await container.unpause();
    await eventually('lines after unpause', async () => (await lines()) > paused + 2);
    await container.remove({ force: true });
  });
}
