import { mkdir, readdir } from 'node:fs/promises';
import { inject, injectable, Logger, Mutex } from '@gantry/core/driver';
import { Mounts } from '@gantry/lib-linux/mounts';
import { Layout } from './layout.js';

/**
 * A directory whose files are in memory while there are any: on a host whose state directory is on a disk, a tmpfs is
 * mounted for the first task and unmounted after the last. A task has a dozen files and more for as long as it exists;
 * on a disk they would cause writes for nothing, and a container could not be stopped before the disk has answered.
 */
@injectable()
export class MemoryState {
  #isMounted = false;
  #isWanted = false;
  readonly #mutex = new Mutex();

  constructor(
    @inject(Layout) private readonly layout: Pick<Layout, 'memory' | 'tasks' | 'runtimeRoot'>,
    @inject(Mounts.token) private readonly mounts: Mounts,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /** Examines the directory, before anything reads it. What an earlier daemon has on the disk stays there. */
  async open(): Promise<void> {
    const { memory } = this.layout;
    await mkdir(memory, { recursive: true, mode: 0o700 });
    this.#isMounted = await this.mounts.isMountPoint(memory);
    await this.#makeDirectories();
    const { type } = await this.mounts.statfs(memory);
    this.#isWanted = this.#isMounted || (type !== 'tmpfs' && (await this.#isEmpty()));
  }

  /** Called before the first file of a task is made, when the task counts as one already. */
  enter(): Promise<void> {
    return this.#mutex.run(async () => {
      if (!this.#isWanted || this.#isMounted) return;
      const { memory } = this.layout;
      try {
        await this.mounts.mount({
          source: 'gantry',
          target: memory,
          type: 'tmpfs',
          flags: ['nosuid', 'nodev'],
          data: 'mode=0700',
        });
      } catch (error) {
        this.#isWanted = false;
        const facts = { event: 'state.on-disk', directory: memory, error };
        this.log.warn(facts, 'cannot keep the state of tasks in memory; keeping it on the disk');
        return;
      }
      this.#isMounted = true;
      await this.#makeDirectories();
    });
  }

  /** Unmounts if there are no tasks. Never rejects: what stays mounted is logged. */
  async leave(isUnused: () => boolean): Promise<void> {
    if (!isUnused()) return;
    try {
      await this.#mutex.run(async () => {
        if (!this.#isMounted || !isUnused()) return;
        await this.mounts.unmount(this.layout.memory);
        this.#isMounted = false;
      });
    } catch (error) {
      const facts = { event: 'task.orphan', what: this.layout.memory, error };
      this.log.warn(facts, 'failed to unmount the task directory');
    }
  }

  get #directories(): readonly string[] {
    return [this.layout.tasks, this.layout.runtimeRoot];
  }

  async #makeDirectories(): Promise<void> {
    await Promise.all(this.#directories.map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  }

  async #isEmpty(): Promise<boolean> {
    const contents = await Promise.all(this.#directories.map((path) => readdir(path)));
    return contents.every((names) => names.length === 0);
  }
}
