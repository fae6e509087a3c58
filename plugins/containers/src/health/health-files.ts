import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@gantry/core/driver';
import { Mutex } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Health } from '../interfaces.js';

const Kept = Type.Object({
  startedAt: Type.String(),
  health: Type.Object({
    status: Type.Union([Type.Literal('starting'), Type.Literal('healthy'), Type.Literal('unhealthy')]),
    failingStreak: Type.Integer(),
    log: Type.Array(
      Type.Object({ start: Type.String(), end: Type.String(), exitCode: Type.Integer(), output: Type.String() }),
    ),
  }),
});

export interface HealthFilesOptions {
  /** The container's own directory. */
  readonly directoryOf: (containerId: string) => string;
  /** Of the present run; undefined when there is none. */
  readonly startedAt: (containerId: string) => string | undefined;
  readonly log: Logger;
}

/**
 * The last known health of each run, so that a daemon that is started again does not call a healthy container starting.
 * A help, not a promise: what is lost is found out again by the next probe.
 */
export class HealthFiles {
  readonly #queue = new Mutex();

  constructor(private readonly options: HealthFilesOptions) {}

  /** Undefined when it is not known of the present run. */
  async read(containerId: string): Promise<Health | undefined> {
    try {
      const kept: unknown = JSON.parse(await readFile(this.#fileOf(containerId), 'utf8'));
      if (!Value.Check(Kept, kept) || kept.startedAt !== this.options.startedAt(containerId)) return undefined;
      return kept.health;
    } catch {
      return undefined;
    }
  }

  /** Begins to write. */
  write(containerId: string, startedAt: string, health: Health): void {
    void this.#queue.run(async () => {
      const file = this.#fileOf(containerId);
      try {
        await writeFile(`${file}.new`, JSON.stringify({ startedAt, health }), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } catch (error) {
        const facts = { event: 'container.health-not-kept', container: containerId, reason: messageOf(error) };
        this.options.log.debug(facts, 'the health of a container could not be written down');
      }
    });
  }

  /** Resolves when everything has been written. */
  settle(): Promise<void> {
    return this.#queue.run(async () => undefined);
  }

  #fileOf(containerId: string): string {
    return path.join(this.options.directoryOf(containerId), 'health.json');
  }
}
