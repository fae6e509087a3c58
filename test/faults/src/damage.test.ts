import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { type Damage, damages, factFiles } from './damage.js';
import { openBase } from './run-faults.js';
import { untilClean } from './run-scenario.js';
import type { Created } from './wire.js';

const body = { Image: 'busybox', Cmd: ['sh', '-c', 'echo said; sleep 1000'], HostConfig: { Binds: ['box:/box'] } };

test('corrupted files affect only their container, and the daemon starts', async (t) => {
  t.timeout(110_000);
  const base = await openBase(t);
  const { daemon, must, ask } = base.world;
  for (const kind of Object.keys(damages) as Damage[]) {
    const { Id } = await must<Created>('POST', '/containers/create?name=subject', body);
    await must('POST', `/containers/${Id}/start`);
    await daemon.crash();
    const files = await factFiles(daemon.directory);
    const isShared = (file: string): boolean => /engine-id|offered|packages\.json|probe\.json|events-/.test(file);
    const damaged = files.filter((file) => file.includes(Id) || isShared(file));
    t.true(damaged.some((file) => file.endsWith('task.json')));
    for (const file of damaged) await damages[kind](file);
    await daemon.restart();
    t.deepEqual(await base.bystander.complaints(), [], kind);
    t.is((await ask('GET', '/containers/subject/json'))?.status, 200, `${kind}: it is there`);
    t.is((await ask('DELETE', '/containers/subject?force=1&v=1'))?.status, 204, `${kind}: it can be removed`);
    await must('DELETE', '/volumes/box');
    await untilClean(base);
  }

  // The network of the bystander, whose record is damaged wherever it stands.
  const { Id } = await must<Created>('GET', '/networks/quiet');
  await daemon.crash();
  const file = path.join(daemon.directory, 'data/drivers/state-lmdb/state.mdb');
  const bytes = await readFile(file);
  const key = `networks\0${Id}`;
  let damaged = 0;
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) {
    const record = at + key.length;
    // Not where a tree only leads past the key: the file itself would be damaged.
    if (bytes.readUInt8(record) !== 1 || bytes.readUInt8(record + 9) !== '{'.charCodeAt(0)) continue;
    bytes.writeUInt8(bytes.readUInt8(record + 40) ^ 1, record + 40);
    damaged += 1;
  }
  t.true(damaged > 0);
  await writeFile(file, bytes);
  await daemon.restart();
  t.deepEqual(await base.bystander.complaints(), []);
  t.is((await ask('GET', '/networks/quiet'))?.status, 200, 'its copy is used');
  t.regex((await daemon.command('check')).said, new RegExp(`networks/${Id}`));
  await daemon.command('check', '--discard', 'all');
  await untilClean(base);
});
