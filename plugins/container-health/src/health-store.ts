import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Health } from '@gantry/containers/service';
import { inject, injectable, KeyedMutex, Logger, PackageDirectories, replaceFile } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const Stored = Type.Object({
  startedAt: Type.String(),
  health: Type.Object({
    status: Type.Union([Type.Literal('starting'), Type.Literal('healthy'), Type.Literal('unhealthy')]),
    failingStreak: Type.Integer(),
    log: Type.Array(
      Type.Object({ start: Type.String(), end: Type.String(), exitCode: Type.Integer(), output: Type.String() }),
    ),
  }),
});

/**
 * The last known health of running containers, in one file each, so that it survives a restart of the daemon. Best
 * effort: what is lost is determined again by the next probe.
 */
@injectable()
export class HealthStore {
  readonly #mutex = new KeyedMutex();
  readonly #pending = new Set<Promise<void>>();

  constructor(
    @inject(PackageDirectories) private readonly dirs: PackageDirectories,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** The health of the run that started then; undefined when it is not stored. */
  async read(containerId: string, startedAt: string): Promise<Health | undefined> {
    try {
      const stored: unknown = JSON.parse(await readFile(this.#fileOf(containerId), 'utf8'));
      return Value.Check(Stored, stored) && stored.startedAt === startedAt ? stored.health : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes in the background. */
  write(containerId: string, startedAt: string, health: Health): void {
    this.#enqueue(containerId, async () => {
      await replaceFile(this.#fileOf(containerId), JSON.stringify({ startedAt, health }), { mode: 0o600 });
    });
  }

  /** Deletes in the background. */
  delete(containerId: string): void {
    this.#enqueue(containerId, () => rm(this.#fileOf(containerId), { force: true }));
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #enqueue(container: string, work: () => Promise<void>): void {
    const pending = this.#mutex
      .run(container, work)
      .catch((error: unknown) =>
        this.log.debug({ event: 'container.health-not-stored', container, error }, 'failed to store container health'),
      )
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  #fileOf(containerId: string): string {
    return path.join(this.dirs.state, `${containerId}.json`);
  }
}
