import { tmpdir } from 'node:os';
import { kernelFiles } from '@gantry/lib-linux/files';
import test from 'ava';
import { DiskSync } from './disk-sync.js';

test('concurrent requests share a pass, and one made during a pass starts another', async (t) => {
  const sync = new DiskSync(kernelFiles, tmpdir());
  const first = sync.all();
  t.is(sync.all(), first);
  await new Promise(setImmediate);
  const second = sync.all();
  t.not(second, first);
  await Promise.all([first, second]);
});
