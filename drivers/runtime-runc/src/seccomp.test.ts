import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@gantry/conformance';
import type { OciSeccomp } from '@gantry/core/contracts';
import test from 'ava';
import { openTestRuntime } from './testing/open-test-runtime.js';
import { requestFor, specFor } from './testing/request.js';
import { makeRootfs } from './testing/rootfs.js';

const rootfs = await makeRootfs();
test.after.always('the root file system goes', () => rootfs.remove());

const without = (name: string, errnoRet: number): OciSeccomp => ({
  defaultAction: 'SCMP_ACT_ALLOW',
  syscalls: [{ names: [name], action: 'SCMP_ACT_ERRNO', errnoRet }],
});

test('a filter that was compiled before has the same effect, also on execs, and another one is not mistaken for it', async (t) => {
  const { driver, dirs, release } = await openTestRuntime();
  t.teardown(release);
  t.teardown(async () => {
    for (const { id } of await driver.tasks()) await driver.delete(id, { force: true });
  });
  const exits = new Map<string, number>();
  driver.onExit(({ id, exitCode }) => exits.set(id, exitCode));
  const run = async (id: string, seccomp: OciSeccomp, script: string): Promise<string> => {
    const args = ['sh', '-c', script];
    const spec = specFor(rootfs.path, args);
    await driver.create({ ...requestFor(rootfs.path, id, args), spec: { ...spec, linux: { ...spec.linux, seccomp } } });
    await driver.startTask(id);
    return readFile(join(dirs.state, 'memory/tasks', id, 'config.json'), 'utf8');
  };
  const refused = 'kill -0 $$ && exit 1; exit 7';
  const first = await run('first', without('kill', 1), refused);
  const second = await run('second', without('kill', 1), `sleep 1000`);
  const other = await run('other', without('sync', 1), refused);
  const { process } = specFor(rootfs.path, ['sh', '-c', refused]);
  const exec = await driver.processes.exec('second', { execId: 'exec', process, openStdin: false, detached: true });
  t.is(await exec.exited, 7);
  await until('the others have ended', () => exits.size === 2);
  t.deepEqual(Object.fromEntries(exits), { first: 7, other: 1 });
  t.false(first.includes('seccomp_bpf_data'));
  t.false(other.includes('seccomp_bpf_data'));
  const { runtime } = JSON.parse(await readFile(join(dirs.state, 'memory/tasks/second/task.json'), 'utf8'));
  t.is(second.includes('seccomp_bpf_data'), runtime.kind === 'crun');
});
