import { appendFileSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { SpoolWatch } from './spool-watch.js';

test('high-throughput output is polled, and watched again once it is over', async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-watch-'));
  const file = path.join(directory, 'spool');
  await writeFile(file, '');
  let calls = 0;
  const watch = new SpoolWatch(() => calls++);
  t.teardown(async () => {
    watch.stop();
    await rm(directory, { recursive: true, force: true });
  });
  watch.start(file);
  const began = performance.now();
  for (let writes = 0; writes < 100; writes++) {
    watch.busy();
    await appendFile(file, 'x');
  }
  t.true(calls <= (performance.now() - began) / 10 + 1, `${calls} calls`);
  let before = calls;
  await eventually('a call by polling', () => calls > before);
  // Idle checks end the polling; from then on only writes cause calls.
  await eventually('the end of polling', async () => {
    before = calls;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return calls === before;
  });
  appendFileSync(file, 'x');
  await eventually('a call for the write', () => calls > before);
});
