import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PackageDirectories } from '@gantry/core/driver';
import type { TaskFile } from '@gantry/services/service';
import test from 'ava';
import { TaskFileStore } from './task-file-store.js';

const file = (fields: Partial<TaskFile>): TaskFile => ({
  kind: 'secret',
  id: 'id',
  name: 'key',
  target: 'key',
  uid: 0,
  gid: 0,
  mode: 0o444,
  data: Buffer.from('content'),
  ...fields,
});

test('files have the owner, the group and the mode of their reference, in a memory file system of the task', async (t) => {
  const state = await mkdtemp(path.join(tmpdir(), 'gantry-files-'));
  t.teardown(() => rm(state, { recursive: true, force: true }));
  const calls: string[] = [];
  const mounts = {
    isMountPoint: async () => false,
    mount: async ({ target, type = '' }: { readonly target: string; readonly type?: string }) =>
      void calls.push(`${type} ${path.relative(state, target)}`),
    unmount: async (target: string) => void calls.push(`unmount ${path.relative(state, target)}`),
  } as unknown as ConstructorParameters<typeof TaskFileStore>[0];
  const store = new TaskFileStore(mounts, { state, root: state } as PackageDirectories);
  const written = await store.write('t1', [
    file({ uid: 1000, gid: 1001, mode: 0o440 }),
    file({ kind: 'config', target: 'etc/app.conf', mode: 0o7777 }),
    file({ target: '/abs/key' }),
  ]);
  t.deepEqual(
    written.map(({ Target, ReadOnly, Type }) => [Type, Target, ReadOnly]),
    [
      ['bind', '/run/secrets/key', true],
      ['bind', '/etc/app.conf', true],
      ['bind', '/abs/key', true],
    ],
  );
  const [first, second] = await Promise.all(written.map(({ Source = '' }) => stat(Source)));
  t.deepEqual([first?.uid, first?.gid, (first?.mode ?? 0) & 0o7777], [1000, 1001, 0o440]);
  t.is((second?.mode ?? 0) & 0o7777, 0o7777);
  t.is(await readFile(written[0]?.Source ?? '', 'utf8'), 'content');
  t.deepEqual(calls, ['tmpfs task-files/t1']);
  await store.remove('t1');
  t.deepEqual(calls.slice(1), ['unmount task-files/t1']);
  await t.throwsAsync(stat(written[0]?.Source ?? ''), { code: 'ENOENT' });
});
