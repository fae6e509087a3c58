import { messageOf, unavailable } from '@gantry/core/errors';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import type { Journal } from '../journal.js';
import { type Entry, ExportParser } from './export-parser.js';

const launcher = new SpawnLauncher();
const syncTimeout = 10_000;

/** The entries that journalctl prints, as they arrive. It is killed when the consumer stops, or the signal aborts. */
export async function* entriesOf(
  { journalctl, scope }: Journal,
  args: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Entry[]> {
  if (signal?.aborted) return;
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  try {
    const program = await launcher.stream(journalctl, [...scope, ...args], { signal: either });
    program.stdin.end();
    const parser = new ExportParser();
    for await (const chunk of program.stdout) yield parser.entries(chunk as Buffer);
    const { code } = await program.process.exited;
    // Without a match it exits with 1 and says nothing.
    const said = (await program.stderr).toString().trim();
    if (code !== 0 && said !== '') throw unavailable(`journalctl: ${said}`);
  } catch (error) {
    if (either.aborted) return;
    throw unavailable(`cannot read the journal: ${messageOf(error)}`, { cause: error });
  } finally {
    stop.abort();
  }
}

/** Resolves when all that was sent to the journal before is in it. A journal that cannot say so may lag behind. */
export async function syncJournal({ journalctl, scope }: Journal): Promise<void> {
  await launcher
    .run(journalctl, [...scope, '--sync'], { signal: AbortSignal.timeout(syncTimeout) })
    .catch(() => undefined);
}
