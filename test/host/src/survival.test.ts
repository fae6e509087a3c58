import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, startDaemon } from '@gantry/test-nodes';
import test from 'ava';

const lines = 20_000;

test('kill -9 of the daemon does not affect running containers', async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const writer = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo "line $i"; done; exit 7`],
  });
  const others = await Promise.all(
    Array.from({ length: 19 }, (_, index) =>
      client.createContainer({ Image: 'busybox', Cmd: ['sh', '-c', `sleep 3; exit ${index + 1}`] }),
    ),
  );
  await Promise.all(others.map((container) => container.start()));
  await writer.start();
  await daemon.crash();
  await daemon.restart();
  const codes = await Promise.all(others.map(async (container) => (await container.wait()).StatusCode));
  t.deepEqual(
    codes,
    others.map((_, index) => index + 1),
  );
  t.is((await writer.wait()).StatusCode, 7);
  const log = (await writer.logs({ stdout: true, stderr: true })) as unknown as Buffer;
  const expected = Array.from({ length: lines }, (_, index) => `line ${index + 1}`);
  t.deepEqual(linesOf(log), expected);
  for (const container of [writer, ...others]) {
    const { State } = await container.inspect();
    t.is(State.Status, 'exited');
  }
});

test('containers that exit while the daemon is down keep exit code, time and log', async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', 'sleep 1; echo last; exit 42'],
  });
  await container.start();
  const { Pid } = (await container.inspect()).State;
  await daemon.crash();
  await eventually('the end of the container', () => !existsSync(`/proc/${Pid}`));
  const ended = Date.now();
  // So that the time it ended at is none it may be found at.
  await delay(1500);
  await daemon.restart();
  const { State } = await container.inspect();
  t.is(State.ExitCode, 42);
  t.true(
    Math.abs(Date.parse(State.FinishedAt) - ended) < 1400,
    `${State.FinishedAt} is when it ended, not when it was found`,
  );
  t.deepEqual(linesOf((await container.logs({ stdout: true })) as unknown as Buffer), ['last']);
});

/** Lines of a multiplexed log. */
function linesOf(log: Buffer): readonly string[] {
  let text = '';
  for (let at = 0; at + 8 <= log.length; ) {
    const length = log.readUInt32BE(at + 4);
    text += log.toString('utf8', at + 8, at + 8 + length);
    at += 8 + length;
  }
  return text.split('\n').slice(0, -1);
}
