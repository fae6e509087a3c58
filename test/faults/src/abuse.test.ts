import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { openBase } from './run-faults.js';
import type { ContainerDetails } from './wire.js';
import type { World } from './world.js';

const run = promisify(execFile);

/** `GANTRY_ABUSE=10` makes ten times as much of everything. */
const times = Number(process.env.GANTRY_ABUSE ?? 1);

const mebibytesOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** The largest and the longest of a time: resident memory, and how long an answer took. */
function watch(world: World): () => Promise<{ readonly mebibytes: number; readonly milliseconds: number }> {
  const found = { mebibytes: 0, milliseconds: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now();
      await world.ask('GET', '/_ping');
      found.milliseconds = Math.max(found.milliseconds, Math.round(performance.now() - began));
      found.mebibytes = Math.max(found.mebibytes, Math.round(await mebibytesOf(world.daemon.pid)));
      await delay(50);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return found;
  };
}

/** Sends a request and never reads what is answered. */
async function deaf(socketPath: string, method: string, target: string): Promise<Socket> {
  const socket = connect({ path: socketPath });
  socket.pause();
  await once(socket, 'connect');
  socket.write(`${method} /v1.24${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  return socket;
}

test('with floods of output, stalled readers and no free descriptors containers keep running and the daemon answers', async (t) => {
  t.timeout(110_000 * times);
  const base = await openBase(t);
  const { world } = base;
  const { must, ask, daemon } = world;
  const before = await mebibytesOf(daemon.pid);
  const runToEnd = async (name: string, script: string, HostConfig: object = {}): Promise<number> => {
    const body = { Image: 'busybox', Cmd: ['sh', '-c', script], HostConfig: { NetworkMode: 'none', ...HostConfig } };
    await must('POST', `/containers/create?name=${name}`, body);
    const readers = await Promise.all([
      deaf(daemon.socket, 'POST', `/containers/${name}/attach?stream=1&stdout=1`),
      deaf(daemon.socket, 'GET', `/containers/${name}/logs?follow=1&stdout=1`),
      deaf(daemon.socket, 'GET', `/containers/${name}/stats`),
      deaf(daemon.socket, 'GET', '/events'),
    ]);
    await must('POST', `/containers/${name}/start`);
    const { StatusCode } = await must<{ StatusCode: number }>('POST', `/containers/${name}/wait`);
    for (const reader of readers) reader.destroy();
    return StatusCode;
  };

  for (const [name, script] of [
    ['endless-line', `head -c ${times * 24}m /dev/zero | tr '\\0' x`],
    ['lines', `yes line | head -n ${times * 200_000}`],
  ] as const) {
    const end = watch(world);
    t.is(await runToEnd(name, script), 0, `${name}: stalled clients delay nothing`);
    const { mebibytes, milliseconds } = await end();
    t.log(`${name}: ${Math.round(before)} MiB before, at most ${mebibytes} MiB; answers within ${milliseconds} ms`);
    t.true(mebibytes - before < 200, `${name} costs ${mebibytes - before} MiB`);
    t.true(milliseconds < 10_000);
    await must('DELETE', `/containers/${name}?v=1`);
  }

  const bomb = ['sh', '-c', 'f() { f | f & }; f; sleep 1000'];
  await must('POST', '/containers/create?name=bomb', { Image: 'busybox', Cmd: bomb, HostConfig: { PidsLimit: 40 } });
  await must('POST', '/containers/bomb/start');
  await delay(500);
  t.is((await ask('DELETE', '/containers/bomb?force=1'))?.status, 204, 'what multiplies can be removed');

  await run('prlimit', ['--pid', String(daemon.pid), '--nofile=120:4096']);
  const idle = await Promise.all(
    Array.from({ length: 150 }, async () => {
      const socket = connect({ path: daemon.socket });
      socket.on('error', () => undefined);
      await Promise.race([once(socket, 'connect'), delay(1000)]);
      return socket;
    }),
  );
  for (const socket of idle) socket.destroy();
  await run('prlimit', ['--pid', String(daemon.pid), '--nofile=4096:4096']);
  await eventually('an answer', async () => (await ask('GET', '/_ping'))?.status === 200);
  const { Running } = (await must<ContainerDetails>('GET', '/containers/bystander/json')).State;
  t.true(Running);
  t.deepEqual(await base.bystander.complaints(), []);
});
