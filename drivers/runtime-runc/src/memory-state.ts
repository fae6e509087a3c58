import { mkdir, readdir } from 'node:fs/promises';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { Mounts } from '@gantry/lib-linux/mounts';

export interface MemoryStateParts {
  /** Where it is, below the driver's state directory. Files elsewhere stay where they are. */
  readonly directory: string;
  /** Paths of directories that are always in it. */
  readonly within: readonly string[];
  readonly mounts: Mounts;
  readonly log: Logger;
}

/**
 * A directory whose files are in memory while there are any: on a host whose state directory is on a disk, a tmpfs is
 * mounted with the first task and taken away after the last. A task is a dozen files and more that live as long as it,
 * so that a disk would be kept busy for nothing, and would have to answer before a container can be stopped.
 */
export class MemoryState {
  #isMounted = false;
  #isWanted = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(private readonly parts: MemoryStateParts) {}

  /** Finds out what is there, before anything looks into it. What an earlier daemon has on the disk stays there. */
  async open(): Promise<void> {
    const { directory, mounts } = this.parts;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    this.#isMounted = await mounts.isMountPoint(directory);
    await this.#makeWithin();
    const { type } = await mounts.statfs(directory);
    this.#isWanted = this.#isMounted || (type !== 'tmpfs' && (await this.#isEmpty()));
  }

  /** Before the first file of a task is made. The task counts as one already. */
  enter(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#isWanted || this.#isMounted) return;
      const { directory, mounts, log } = this.parts;
      try {
        await mounts.mount({
          source: 'gantry',
          target: directory,
          type: 'tmpfs',
          flags: ['nosuid', 'nodev'],
          data: 'mode=0700',
        });
      } catch (error) {
        this.#isWanted = false;
        const facts = { event: 'state.on-disk', directory, reason: messageOf(error) };
        log.warn(facts, 'the state of tasks cannot be kept in memory, so it is on the disk');
        return;
      }
      this.#isMounted = true;
      await this.#makeWithin();
    });
  }

  /** Takes the mount away if there are no tasks. */
  leave(isUnused: () => boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#isMounted || !isUnused()) return;
      await this.parts.mounts.unmount(this.parts.directory);
      this.#isMounted = false;
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #makeWithin(): Promise<void> {
    await Promise.all(this.parts.within.map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  }

  async #isEmpty(): Promise<boolean> {
    const inside = await Promise.all(this.parts.within.map((path) => readdir(path)));
    return inside.every((names) => names.length === 0);
  }
}
