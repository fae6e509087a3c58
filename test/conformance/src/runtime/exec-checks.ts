import { randomBytes } from 'node:crypto';
import { TaskStartError } from '@gantry/core/contracts';
import { aborts, atOnce, rejects, until } from '../expectations.js';
import { check, type RuntimeSuite, withCapability } from './define.js';
import { exitCodeOf, sh, sizeScript, textOf, watchOutput } from './fixture.js';

const SIGKILL = 9;

/** Further processes in tasks. */
export function execChecks(suite: RuntimeSuite): void {
  withCapability(suite, 'exec', (suite) => {
    check(suite, 'an exec has its own output and exit code', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const exec = await fixture.exec(id, sh('echo out; echo err >&2; exit 7'));
      t.true(exec.pid > 1);
      t.deepEqual([...(await textOf(exec.streams?.output)).split('\n')].sort(), ['', 'err', 'out']);
      t.is(await exec.exited, 7);
      t.is(await fixture.spooled(id), '');
      t.is(await fixture.status(id), 'running');
    });

    check(suite, 'exit codes of execs are reported unchanged', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      for (const code of [0, 1, 126, 127, 128, 255]) {
        const exec = await fixture.exec(id, sh(`exit ${code}`));
        exec.streams?.output.resume();
        t.is(await exec.exited, code);
      }
    });

    check(suite, 'stdin of an exec arrives byte for byte, and its end too', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const exec = await fixture.exec(id, ['cat'], { openStdin: true });
      const { streams } = exec;
      if (streams === undefined) throw new Error('an attached exec has streams');
      const sent = randomBytes(300_000).toString('base64');
      const received = textOf(streams.output);
      await streams.writeStdin(Buffer.from(sent));
      await streams.endStdin();
      await streams.endStdin();
      t.is(await received, sent);
      t.is(await exec.exited, 0);
      await rejects(t, streams.writeStdin(Buffer.from('late')), 'conflict');
    });

    check(suite, "an exec's stdin closes with its connection", async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const exec = await fixture.exec(id, sh('cat; exit 5'), { openStdin: true });
      exec.streams?.close();
      t.is(await exec.exited, 5);
    });

    check(suite, 'a detached exec has no streams and an exit code', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const exec = await fixture.exec(id, sh('echo unheard; exit 4'), { detached: true });
      t.is(exec.streams, undefined);
      t.is(await exec.exited, 4);
    });

    check(suite, 'an exec on a terminal has one stream and a size', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const exec = await fixture.exec(id, sh(sizeScript), { terminal: true, openStdin: true });
      const seen = watchOutput(exec.streams?.output);
      await until('both lines are there', () => seen.text === 'out\r\nerr\r\n');
      await exec.resize({ height: 41, width: 132 });
      await until('the size is there', async () => {
        await exec.streams?.writeStdin(Buffer.from('\n'));
        return seen.text.includes('41 132\r\n');
      });
      await exec.kill(SIGKILL);
      t.is(await exec.exited, 137);
      await rejects(t, exec.resize({ height: 1, width: 1 }), 'not-found');
    });

    check(suite, 'only an exec on a terminal has a size', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const exec = await fixture.exec(id, ['sleep', '100']);
      await rejects(t, exec.resize({ height: 24, width: 80 }), 'conflict', /terminal/);
      await exec.kill(SIGKILL);
      t.is(await exec.exited, 137);
    });

    check(suite, 'a signal ends an exec with 128 and its number', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      for (const signal of [SIGKILL, 15]) {
        const exec = await fixture.exec(id, ['sleep', '100'], { detached: true });
        await exec.kill(signal);
        t.is(await exec.exited, 128 + signal);
        await rejects(t, exec.kill(signal), 'not-found');
      }
      t.is(await fixture.status(id), 'running');
    });

    for (const [program, exitCode] of [
      ['no-such-program', 127],
      ['/no/such/program', 127],
      ['/etc', 126],
    ] as const) {
      for (const [exec, options] of [
        ['an exec', {}],
        ['a detached exec', { detached: true }],
        ['an exec with a terminal', { terminal: true }],
      ] as const) {
        const name = `the program ${program} is refused with ${exitCode} by ${exec}`;
        check(suite, name, async (t, fixture) => {
          const id = await fixture.run(['sleep', '100']);
          const error = await rejects(t, fixture.exec(id, [program], options), 'invalid-argument', new RegExp(program));
          t.true(error instanceof TaskStartError);
          t.is(exitCodeOf(error), exitCode);
          // What was to become the program ends by itself, and its runtime need not wait for that.
          await until('nothing of it is left', async () => (await fixture.driver.processes.list(id)).length === 1);
        });
      }
    }

    check(suite, '10 execs at once each have their own output and code', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      await atOnce(10, async (index) => {
        const exec = await fixture.exec(id, sh(`echo ${index}; exit ${index}`));
        t.is(await textOf(exec.streams?.output), `${index}\n`);
        t.is(await exec.exited, index);
      });
    });

    check(suite, 'an exec id can be taken once, until its process has ended', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const exec = await fixture.exec(id, ['sleep', '100'], { execId: 'same', detached: true });
      await rejects(t, fixture.exec(id, ['true'], { execId: 'same' }), 'conflict', /same/);
      await exec.kill(SIGKILL);
      await exec.exited;
      const again = await fixture.exec(id, ['true'], { execId: 'same', detached: true });
      t.is(await again.exited, 0);
    });

    check(suite, 'there is no exec where nothing runs', async (t, fixture) => {
      const id = await fixture.create(['sleep', '100']);
      await rejects(t, fixture.exec(id, ['true']), 'conflict', /not running/);
      await fixture.driver.startTask(id);
      if (fixture.driver.capabilities.pause) {
        await fixture.driver.pause(id);
        await rejects(t, fixture.exec(id, ['true']), 'conflict', /paused/);
        await fixture.driver.resume(id);
      }
      await fixture.driver.kill(id, SIGKILL);
      await fixture.ended(id);
      await rejects(t, fixture.exec(id, ['true']), 'not-found', /not running/);
    });

    check(suite, 'an exec ends with its task', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const exec = await fixture.exec(id, ['sleep', '100']);
      const output = textOf(exec.streams?.output);
      t.is((await fixture.driver.processes.list(id)).length, 2);
      await fixture.driver.kill(id, SIGKILL);
      t.is(await exec.exited, 137);
      t.is(await output, '');
      await fixture.ended(id);
    });

    check(suite, 'an aborted exec leaves nothing', async (t, fixture) => {
      const id = await fixture.run(['sleep', '100']);
      const process = { user: { uid: 0, gid: 0 }, args: ['sleep', '100'], cwd: '/' };
      const request = { execId: 'aborted', process, openStdin: false, detached: true };
      await aborts(t, fixture.driver.processes.exec(id, request, { signal: AbortSignal.abort() }));
      t.is((await fixture.driver.processes.list(id)).length, 1);
    });
  });
}
