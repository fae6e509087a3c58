import { readdir, readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { openBase } from './run-faults.js';
import { untilClean } from './run-scenario.js';

/** Paths of runtimes: crun is executed from a descriptor of the daemon. */
const runtimes = /(^|\/)(runc|crun|fd\/\d+)$/;

/**
 * Kills the first runtime process with these words in its command line and its files below `scratch`, until the signal
 * aborts. Only new processes are inspected, since one may exist for a few milliseconds.
 */
async function killFirst(words: readonly string[], signal: AbortSignal, scratch = ''): Promise<boolean> {
  const known = new Set(await readdir('/proc'));
  while (!signal.aborted) {
    for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry) && !known.has(entry))) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
      if (!runtimes.test(command.split('\0')[0] ?? '') || !words.every((word) => command.includes(word))) {
        continue;
      }
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      if (!environment.includes(`_LIBCONTAINER_STATEDIR=${scratch}`)) continue;
      try {
        process.kill(Number(pid), 'SIGKILL');
        return true;
      } catch {
        return false;
      }
    }
    await nextTurn();
  }
  return false;
}

test('a runtime killed during a create or exec fails it and leaves nothing', async (t) => {
  t.timeout(110_000);
  const base = await openBase(t);
  const { must, ask, daemon } = base.world;
  const body = { Image: 'busybox', Cmd: ['sleep', '1000'] };
  let failed = 0;
  for (let round = 0; round < 100 && failed < 2; round++) {
    const { Id } = await must<{ Id: string }>('POST', '/containers/create?name=subject', body);
    const over = new AbortController();
    const killing = killFirst(['create', Id], over.signal);
    const started = await ask('POST', '/containers/subject/start');
    over.abort();
    if ((await killing) && started?.status !== 204) failed += 1;
    const { State } = await must<{ State: { Running: boolean } }>('GET', '/containers/subject/json');
    t.is(State.Running, started?.status === 204);
    if (!State.Running) t.is((await ask('POST', '/containers/subject/start'))?.status, 204, 'it starts the next time');
    await must('DELETE', '/containers/subject?force=1');
    await untilClean(base);
  }
  t.true(failed > 0, 'a runtime was caught in the middle');

  await must('POST', '/containers/create?name=subject', body);
  await must('POST', '/containers/subject/start');
  for (const detached of [true, false]) {
    let caught = false;
    for (let round = 0; round < 200 && !caught; round++) {
      const { Id } = await must<{ Id: string }>('POST', '/containers/subject/exec', {
        Cmd: ['true'],
        AttachStdout: !detached,
      });
      const over = new AbortController();
      const killing = killFirst(['exec', daemon.directory], over.signal, daemon.directory);
      await ask('POST', `/exec/${Id}/start`, { body: { Detach: detached } });
      over.abort();
      caught = await killing;
    }
    t.true(caught, 'an exec was caught in the middle');
  }
  await must('DELETE', '/containers/subject?force=1');
  await untilClean(base);
});
