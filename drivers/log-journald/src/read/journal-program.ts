import { messageOf, unavailable } from '@gantry/core/errors';
import type { Launcher } from '@gantry/lib-linux/launcher';
import type { Journal } from '../journal.js';
import { type Entry, ExportParser } from './export-parser.js';

const syncTimeout = 10_000;

/** The program journalctl, on one journal. */
export class JournalProgram {
  constructor(
    private readonly journal: Journal,
    private readonly launcher: Launcher,
  ) {}

  /** The entries that it prints, as they arrive. It is killed when the consumer stops, or the signal aborts. */
  async *entries(args: readonly string[], signal: AbortSignal | undefined): AsyncGenerator<readonly Entry[]> {
    if (signal?.aborted) return;
    const { journalctl, scope } = this.journal;
    const stop = new AbortController();
    const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
    try {
      const program = await this.launcher.stream(journalctl, [...scope, ...args], { signal: either });
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
  async sync(): Promise<void> {
    const { journalctl, scope } = this.journal;
    await this.launcher
      .run(journalctl, [...scope, '--sync'], { signal: AbortSignal.timeout(syncTimeout) })
      .catch(() => undefined);
  }
}
