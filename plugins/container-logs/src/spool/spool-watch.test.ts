import { appendFileSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { SpoolWatch } from './spool-watch.js';

test('what much is written to is told of by the clock, and by each write again once that is over', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-watch-'));
  const file = path.join(directory, 'spool');
  await writeFile(file, '');
  let told = 0;
  const watch = new SpoolWatch(() => told++);
  t.teardown(async () => {
    watch.end();
    await rm(directory, { recursive: true, force: true });
  });
  watch.begin(file);
  const began = performance.now();
  for (let writes = 0; writes < 100; writes++) {
    watch.busy();
    await appendFile(file, 'x');
  }
  t.true(told <= (performance.now() - began) / 10 + 1, `${told} times`);
  let before = told;
  await eventually('that it is still told', () => told > before);
  // As long as it is busy, it tells in vain now and then; later only of writes.
  await eventually('quiet', async () => {
    before = told;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return told === before;
  });
  appendFileSync(file, 'x');
  await eventually('that a write is told', () => told > before);
});
