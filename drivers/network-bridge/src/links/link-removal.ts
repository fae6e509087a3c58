import { isErrno } from '@gantry/linux/errors';
import type { NetlinkSocket } from '@gantry/linux/netlink';

/**
 * Deletes links off the main thread. The kernel takes some 20 ms for one and little more for many, so what is asked for
 * while it works is deleted together afterwards.
 */
export class LinkRemoval {
  readonly #waiting = new Map<string, Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly netlink: NetlinkSocket) {}

  /** Absent: resolves. */
  remove(name: string): Promise<void> {
    const already = this.#waiting.get(name);
    if (already !== undefined) return already;
    // The first of a round waits for the one before; the others go with it.
    const [round] = this.#waiting.values();
    const removed = round ?? this.#running.then(() => this.#removeWaiting());
    if (round === undefined) this.#running = removed.catch(() => undefined);
    this.#waiting.set(name, removed);
    return removed;
  }

  /** Resolves when nothing is being removed. */
  get idle(): Promise<void> {
    return this.#running;
  }

  async #removeWaiting(): Promise<void> {
    const names = [...this.#waiting.keys()];
    this.#waiting.clear();
    try {
      await this.netlink.apply((changes) => changes.deleteLinks(names));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    }
  }
}
