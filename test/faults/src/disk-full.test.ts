import { imageArchive } from '@gantry/host';
import { eventually } from '@gantry/test-nodes';
import test from 'ava';
import { disagreements } from './check/disagreements.js';
import { openBase } from './run-faults.js';
import { untilClean } from './run-scenario.js';
import { SmallDisk } from './small-disk.js';
import type { ContainerDetails } from './wire.js';

const body = { Image: 'busybox', Cmd: ['sh', '-c', 'trap "exit 5" TERM; while :; do sleep 0.1; done'] };

test('a full disk fails writes, loses nothing, and does not keep the daemon from starting', async (t) => {
  t.timeout(110_000);
  const disk = await SmallDisk.mount(t, 64);
  const base = await openBase(t, { place: disk.directory });
  const { ask, must, daemon } = base.world;
  await must('POST', '/containers/create?name=runner', body);
  await must('POST', '/containers/runner/start');
  await disk.fill();
  const refused = await Promise.all([
    ask('POST', '/containers/create?name=late', { body }),
    ask('POST', '/images/load', { body: imageArchive }),
    ask('POST', '/volumes/create', { body: { Name: 'late' } }),
    ask('POST', '/networks/create', { body: { Name: 'late' } }),
  ]);
  for (const answer of refused) t.true(answer !== undefined, 'it is answered');
  t.regex(refused[1]?.text ?? '', /does not fit on the disk|no space left on device/);
  t.is((await ask('GET', '/containers/json?all=1'))?.status, 200);
  const stopping = ask('POST', '/containers/runner/stop?t=5');
  await daemon.crash();
  await stopping;
  await daemon.restart();
  t.is((await ask('GET', '/containers/runner/json'))?.status, 200, 'a daemon starts on a full disk');
  await disk.empty();
  await ask('POST', '/containers/runner/stop?t=5');
  await eventually('the end', async () => {
    const { State } = await must<ContainerDetails>('GET', '/containers/runner/json');
    return State.Status === 'exited' && State.ExitCode === 5;
  });
  await must('POST', '/images/load', imageArchive);
  await must('POST', '/containers/create?name=later', body);
  // Output written while the disk is full is lost.
  const complaints = await base.bystander.complaints();
  t.deepEqual(
    complaints.filter((words) => !words.startsWith('the log')),
    [],
  );
  t.deepEqual(await disagreements(base.world), []);
  for (const name of ['runner', 'later', 'late']) await ask('DELETE', `/containers/${name}?force=1`);
  await ask('DELETE', '/images/web:1');
  await ask('DELETE', '/volumes/late');
  await ask('DELETE', '/networks/late');
  await untilClean(base);
});
