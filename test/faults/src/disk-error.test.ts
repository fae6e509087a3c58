import { setTimeout as delay } from 'node:timers/promises';
import { imageArchive } from '@gantry/host';
import { eventually, loseEverything } from '@gantry/test-nodes';
import test from 'ava';
import { type Answer, isDone } from './ask.js';
import { disagreements } from './check/disagreements.js';
import { reset } from './check/reset.js';
import { FailingDisk, refuseToSync } from './failing-disk.js';
import { openBase } from './run-faults.js';
import type { ContainerDetails } from './wire.js';

const program = 'trap "exit 5" TERM; i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done';
const body = { Image: 'busybox', Cmd: ['sh', '-c', program] };

const reads = [
  '/_ping',
  '/version',
  '/info',
  '/containers/json?all=1',
  '/containers/runner/json',
  '/containers/runner/stats?stream=0',
  '/containers/runner/top',
  '/containers/runner/logs?stdout=1',
  '/images/json',
  '/images/busybox/json',
  '/images/busybox/history',
  '/volumes',
  '/volumes/kept',
  '/networks',
  '/networks/quiet',
  '/events?since=0&until=1',
  '/plugins',
];

test('when the disk hangs or fails, changes wait or fail with the reason, reads are answered, and nothing acknowledged is lost', async (t) => {
  t.timeout(110_000);
  const disk = await FailingDisk.mount(t, 256);
  const base = await openBase(t, { place: disk.directory });
  const { ask, must, daemon } = base.world;
  for (const name of ['runner', 'gone']) {
    await must('POST', `/containers/create?name=${name}`, body);
    await must('POST', `/containers/${name}/start`);
  }
  const changes = (name: string): readonly (readonly [target: string, body?: object | Buffer])[] => [
    [`/containers/create?name=${name}`, body],
    ['/containers/runner/update', { RestartPolicy: { Name: name === 'late' ? 'unless-stopped' : 'always' } }],
    ['/images/load', imageArchive],
    [`/images/busybox/tag?repo=${name}`],
    [`/commit?container=runner&repo=${name}-committed`],
    ['/volumes/create', { Name: name }],
    ['/networks/create', { Name: name }],
  ];
  const made = (name: string): readonly string[] => [
    `/containers/${name}/json`,
    '/images/web:1/json',
    `/images/${name}/json`,
    `/images/${name}-committed/json`,
    `/volumes/${name}`,
    `/networks/${name}`,
  ];
  const change = ([target, sent]: readonly [target: string, body?: object | Buffer]): Promise<Answer | undefined> =>
    ask('POST', target, sent === undefined ? {} : { body: sent });
  const refused = async (name: string, reason: RegExp): Promise<void> => {
    for (const call of changes(name)) {
      const answer = await change(call);
      t.true(answer !== undefined && !isDone(answer), `${call[0]} is not acknowledged`);
      t.regex(answer?.text ?? '', reason, `${call[0]} says why`);
    }
  };
  const readable = async (when: string): Promise<void> => {
    await Promise.all(
      reads.map(async (target) => {
        const answer = await Promise.race([ask('GET', target), delay(20_000)]);
        t.is(answer?.status, 200, `${target} ${when}`);
      }),
    );
  };

  const syncAgain = await refuseToSync(daemon.pid);
  await refused('late', /[Ii]nput\/output error|i\/o error/);
  await readable('while nothing can be synced');
  const killed = await ask('POST', '/containers/gone/kill');
  t.regex(killed?.text ?? '', /has exited, but that cannot be recorded: .*[Ii]nput\/output error/);
  await syncAgain();
  for (const call of changes('late')) t.true(isDone((await change(call)) ?? { status: 500, text: '' }), call[0]);
  await eventually('the end', async () => {
    const { State } = await must<ContainerDetails>('GET', '/containers/gone/json');
    return State.Status === 'exited' && State.ExitCode === 137;
  });
  for (const target of made('late')) t.is((await ask('GET', target))?.status, 200, target);
  t.deepEqual(await disagreements(base.world), []);

  await disk.hang();
  const waiting = changes('later').map(change);
  await delay(200);
  await readable('while the disk hangs');
  await disk.resume();
  for (const answer of await Promise.all(waiting)) t.true(answer !== undefined && isDone(answer), answer?.text);

  await disk.fail();
  await refused('never', /[Ii]nput\/output error|i\/o error|[Rr]ead-only file system/);
  await readable('with a dead disk');
  t.deepEqual(await base.bystander.complaints(), []);
  await daemon.crash();
  // Nothing can be removed from it yet.
  await loseEverything(daemon).catch(() => undefined);
  await disk.repair();
  await disk.remount();
  await loseEverything(daemon);
  await daemon.restart();
  for (const target of [...made('late'), ...made('later')]) {
    t.is((await ask('GET', target))?.status, 200, `${target} is on the disk`);
  }
  for (const target of made('never').filter((target) => !target.includes('web'))) {
    t.is((await ask('GET', target))?.status, 404, `${target} is not`);
  }
  await reset(base.world);
});
