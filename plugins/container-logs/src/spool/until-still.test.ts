import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { positionFile } from './spool-files.js';
import { untilStill } from './until-still.js';

async function scratch(t: ExecutionContext): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-still-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

for (const [how, act] of [
  ['a sink stores how far it is', (directory, round) => writeFile(path.join(directory, `${round}`), '')],
  ['a position is written', (directory, round) => positionFile.write(directory, `${round}`)],
] as const satisfies [string, (directory: string, round: number) => Promise<void>][]) {
  test(`a log makes progress as long as ${how}`, async (t) => {
    const directory = await scratch(t);
    const controller = new AbortController();
    let isOver = false;
    const waiting = untilStill(directory, { patience: 1000, longest: 10_000, signal: controller.signal }).then(() => {
      isOver = true;
    });
    for (let round = 0; round < 15; round++) {
      await delay(100);
      t.false(isOver);
      await act(directory, round);
    }
    controller.abort();
    await waiting;
  });
}

test('a log that stands still is waited for no longer', async (t) => {
  const directory = await scratch(t);
  const { signal } = new AbortController();
  const began = performance.now();
  await untilStill(directory, { patience: 300, longest: 10_000, signal });
  t.true(performance.now() - began >= 300);
});
