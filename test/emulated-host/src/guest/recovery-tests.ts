import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startContainer } from '@gantry/host';
import type { DaemonUnderTest } from './daemon-under-test.js';

/** The daemon is killed while a container runs. */
export function recoveryTests({ daemon }: DaemonUnderTest): void {
  test('kill -9 of the daemon, and recovery', async () => {
    const { client, crash, restart } = daemon();
    const container = await startContainer(client, {
      Cmd: ['sh', '-c', 'trap "exit 7" TERM; echo ready; while :; do sleep 0.1; done'],
      Tty: true,
      HostConfig: { NetworkMode: 'none' },
    });
    const { Pid } = (await container.inspect()).State;
    await crash();
    await restart();
    const { State } = await container.inspect();
    assert.deepEqual([State.Running, State.Pid], [true, Pid]);
    await container.stop({ t: 30 });
    assert.equal((await container.inspect()).State.ExitCode, 7);
    assert.equal(((await container.logs({ stdout: true })) as unknown as Buffer).toString().trim(), 'ready');
    await container.remove();
  });
}
