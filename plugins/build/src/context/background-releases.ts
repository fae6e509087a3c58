import { inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import type { BuildContext } from './build-context.js';

/** Contexts of completed builds whose files may remain meanwhile. */
const maxPending = 8;

/**
 * Removes the files of contexts after their builds, so that a client does not wait for it. What a crash leaves is removed
 * at the next start.
 */
@injectable()
export class BackgroundReleases {
  readonly #pending = new Set<Promise<void>>();

  constructor(
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.settle());
  }

  /** Resolves when the removal has begun. Never rejects. */
  async begin(context: BuildContext): Promise<void> {
    while (this.#pending.size >= maxPending) await Promise.race(this.#pending);
    const release = this.#release(context);
    this.#pending.add(release);
    void release.finally(() => this.#pending.delete(release));
  }

  /** Resolves when no removal is under way. */
  async settle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async #release(context: BuildContext): Promise<void> {
    try {
      await context.release();
    } catch (err) {
      const facts = { event: 'build.context-not-removed', directory: context.directory, err };
      this.log.warn(facts, 'failed to remove the context of a build');
    }
  }
}
