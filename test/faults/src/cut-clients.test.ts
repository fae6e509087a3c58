import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { buildArchive, imageArchive } from '@gantry/host';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { disagreements } from './check/disagreements.js';
import { reset } from './check/reset.js';
import { openBase } from './run-faults.js';
import { untilClean } from './run-scenario.js';
import type { ContainerDetails } from './wire.js';

interface Cut {
  readonly method: string;
  readonly target: string;
  readonly body?: Buffer;
}

/** Sends a request, or the first part of one, and goes after some milliseconds. */
async function cut(socketPath: string, { method, target, body }: Cut, part: number, after: number): Promise<void> {
  const length = body?.length ?? 0;
  const socket = connect({ path: socketPath }).on('error', () => undefined);
  await once(socket, 'connect');
  const head = [`${method} /v1.24${target} HTTP/1.1`, 'Host: x', 'Content-Type: application/x-tar'];
  socket.write(`${[...head, `Content-Length: ${length}`].join('\r\n')}\r\n\r\n`);
  if (body !== undefined) socket.write(body.subarray(0, length * part));
  socket.resume();
  await delay(after);
  socket.destroy();
}

test('clients that disconnect during a build, copy, load, commit or pull leave nothing', async (t) => {
  t.timeout(110_000);
  const base = await openBase(t);
  const { ask, must, daemon, registry } = base.world;
  const script = 'dd if=/dev/zero of=/large bs=1M count=32; echo ready; sleep 1000';
  await must('POST', '/containers/create?name=subject', { Image: 'busybox', Cmd: ['sh', '-c', script] });
  await must('POST', '/containers/subject/start');
  await eventually('the file', async () =>
    (await ask('GET', '/containers/subject/logs?stdout=1'))?.text.includes('ready'),
  );
  await must('POST', `/images/busybox/tag?repo=${registry}/cut&tag=1`);
  await must('POST', `/images/${registry}/cut/push?tag=1`);
  await must('DELETE', `/images/${registry}/cut:1`);
  const requests: readonly Cut[] = [
    { method: 'POST', target: '/build?t=cut', body: buildArchive },
    { method: 'PUT', target: '/containers/subject/archive?path=/tmp', body: buildArchive },
    { method: 'POST', target: '/images/load', body: imageArchive },
    { method: 'GET', target: '/containers/subject/archive?path=/large' },
    { method: 'GET', target: '/containers/subject/export' },
    { method: 'GET', target: '/images/busybox/get' },
    { method: 'POST', target: '/commit?container=subject&repo=cut' },
    { method: 'POST', target: `/images/create?fromImage=${registry}/cut&tag=1` },
  ];
  for (const after of [0, 30, 400]) {
    await Promise.all(requests.flatMap((request) => [0.5, 1].map((part) => cut(daemon.socket, request, part, after))));
    t.is((await ask('GET', '/_ping'))?.status, 200);
  }
  await eventually('the subject', async () => {
    const { State } = await must<ContainerDetails>('GET', '/containers/subject/json');
    return State.Status === 'running';
  });
  t.deepEqual(await disagreements(base.world), []);
  t.deepEqual(await base.bystander.complaints(), []);
  await eventually('builds have given up', async () => {
    const list = await must<readonly unknown[]>('GET', '/containers/json?all=1');
    return list.length === 2;
  });
  await reset(base.world);
  await untilClean(base);
  t.is((await daemon.command('check')).code, 0);
});
