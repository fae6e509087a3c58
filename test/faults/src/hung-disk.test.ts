import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import type { Answer } from './ask.js';
import { disagreements } from './check/disagreements.js';
import { reset } from './check/reset.js';
import { FailingDisk } from './failing-disk.js';
import { openBase } from './run-faults.js';
import type { ContainerDetails } from './wire.js';

const program = 'trap "exit 5" TERM; i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done';
const body = { Image: 'busybox', Cmd: ['sh', '-c', program] };

/** Containers that write their logs, and as many containers and volumes that are made, while the disk hangs. */
const many = 40;

const reads = [
  '/_ping',
  '/version',
  '/info',
  '/containers/json?all=1',
  '/containers/bystander/json',
  '/containers/bystander/stats?stream=0',
  '/containers/bystander/top',
  '/containers/bystander/logs?stdout=1',
  '/containers/bystander/archive?path=/etc/passwd',
  '/containers/bystander/changes',
  '/images/json',
  '/images/busybox/json',
  '/volumes',
  '/networks',
  '/events?since=0&until=1',
  '/plugins',
];

test('with more hanging writes than threads reads continue, changes fail with the reason, and their outcome is kept', async (t) => {
  t.timeout(110_000);
  const disk = await FailingDisk.mount(t, 256);
  const base = await openBase(t, { place: disk.directory, plugins: { 'engine-api': { diskTimeoutSeconds: 6 } } });
  const { ask, must, daemon } = base.world;
  const names = Array.from({ length: many }, (_, index) => `x${index}`);
  const hostConfig = { NetworkMode: 'none' };
  for (const name of ['doomed', 'renamed', ...names.slice(0, 20).map((name) => `writer-${name}`)]) {
    await must('POST', `/containers/create?name=${name}`, { ...body, HostConfig: hostConfig });
    await must('POST', `/containers/${name}/start`);
  }
  const doomed = (await must<ContainerDetails>('GET', '/containers/doomed/json')).State.Pid;

  await disk.hang();
  const changes = [
    ...names.map((name) => ask('POST', `/containers/create?name=${name}`, { body })),
    ...names.map((name) => ask('POST', '/volumes/create', { body: { Name: name } })),
    ask('POST', '/networks/create', { body: { Name: 'new' } }),
    ask('POST', '/containers/renamed/rename?name=other'),
    ask('POST', '/containers/bystander/update', { body: { RestartPolicy: { Name: 'always' } } }),
    ask('POST', '/images/busybox/tag?repo=tagged'),
  ];
  const kill = ask('POST', '/containers/doomed/kill');
  await Promise.all(
    reads.map(async (target) => {
      const answer = await Promise.race([ask('GET', target), delay(60_000, undefined, { ref: false })]);
      t.is(answer?.status, 200, `${target}: ${answer?.text}`);
    }),
  );
  await eventually('the kill', () => isGone(doomed));
  for (const answer of await Promise.all(changes)) {
    t.true(answer !== undefined && answer.status >= 500);
    t.regex(
      answer?.text ?? '',
      /the disk of .* has not answered for \d+ s: the operation continues when the disk responds/,
    );
  }
  t.true(((await kill)?.status ?? 0) >= 500);
  const late = await ask('POST', '/volumes/create', { body: { Name: 'late' } });
  t.regex(late?.text ?? '', /the disk of .* has not answered for \d+ s: nothing was begun/);
  t.is((await ask('GET', '/containers/x0/json'))?.status, 404, 'unwritten changes are not visible');

  await disk.resume();
  const made = [
    ...names.map((name) => `/containers/${name}/json`),
    ...names.map((name) => `/volumes/${name}`),
    '/networks/new',
    '/containers/other/json',
    '/images/tagged/json',
  ];
  const missing = async (): Promise<readonly (Answer | undefined)[]> =>
    (await Promise.all(made.map((target) => ask('GET', target)))).filter((answer) => answer?.status !== 200);
  await eventually('what was begun is done', async () => (await missing()).length === 0);
  t.is((await ask('GET', '/volumes/late'))?.status, 404);
  await eventually(
    'changes are taken again',
    async () => (await ask('POST', '/volumes/create', { body: { Name: 'after' } }))?.status === 201,
  );
  t.is((await ask('POST', '/containers/create?name=x0', { body }))?.status, 409);
  await eventually('the end is recorded', async () => {
    const { State } = await must<ContainerDetails>('GET', '/containers/doomed/json');
    return State.Status === 'exited' && State.ExitCode === 137;
  });
  t.deepEqual(await disagreements(base.world), []);
  t.deepEqual(await base.bystander.complaints(), []);
  await daemon.crash();
  await daemon.restart();
  t.deepEqual(await missing(), [], 'the disk has what was acknowledged');
  await reset(base.world);
});

/** Its exit may not have been recorded. */
async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
}
