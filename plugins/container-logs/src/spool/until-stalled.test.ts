import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { positionFile } from './spool-files.js';
import { untilStalled } from './until-stalled.js';

async function scratch(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-stall-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

for (const [how, act] of [
  ['a sink stores its position', (directory, round) => writeFile(path.join(directory, `${round}`), '')],
  ['the position file is written', (directory, round) => positionFile.write(directory, `${round}`)],
] as const satisfies [string, (directory: string, round: number) => Promise<void>][]) {
  test(`a log makes progress as long as ${how}`, async (t) => {
    const directory = await scratch(t);
    const controller = new AbortController();
    let hasStalled = false;
    const limits = { stallTimeout: 1000, timeout: 10_000, signal: controller.signal };
    const waiting = untilStalled(directory, limits).then(() => {
      hasStalled = true;
    });
    for (let round = 0; round < 15; round++) {
      await delay(100);
      t.false(hasStalled);
      await act(directory, round);
    }
    controller.abort();
    await waiting;
  });
}

test('a log without progress has stalled after the timeout', async (t) => {
  const directory = await scratch(t);
  const { signal } = new AbortController();
  const began = performance.now();
  await untilStalled(directory, { stallTimeout: 300, timeout: 10_000, signal });
  t.true(performance.now() - began >= 300);
});
