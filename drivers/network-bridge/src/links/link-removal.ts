import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux/errors';
import { type NetlinkSocket, Sysctl } from '@gantry/lib-linux/netlink';
import { HostNetlink } from '../kernel-sessions.js';

/**
 * Deletes links off the main thread, in batches. A link disappears after a few ms; the kernel then waits some 20 ms for
 * concurrent readers, hardly longer for many links than for one. So requests that arrive while two batches are in
 * progress are deleted together afterwards.
 */
@injectable()
export class LinkRemoval {
  readonly #waiting = new Map<string, Promise<void>>();
  /** The newest batch and the one before it: at most two threads of the pool block on the kernel. */
  #running: readonly [newest: Promise<void>, previous: Promise<void>] = [Promise.resolve(), Promise.resolve()];

  constructor(
    @inject(HostNetlink) private readonly netlink: NetlinkSocket,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  /** Resolves when the link is gone, at once when it is absent. */
  remove(name: string): Promise<void> {
    const already = this.#waiting.get(name);
    if (already !== undefined) return already;
    // The first request of a batch waits for its start; the others join it.
    const [batch] = this.#waiting.values();
    const removed = batch ?? this.#running[1].then(() => this.#removeWaiting());
    this.#waiting.set(name, removed);
    return removed;
  }

  /** Resolves when the kernel has finished every requested removal. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#waiting.values());
    await Promise.all(this.#running);
  }

  #removeWaiting(): Promise<void> {
    const names = [...this.#waiting.keys()];
    this.#waiting.clear();
    const finished = this.#delete(names);
    let isFinished = false;
    const ended = finished
      .catch(() => undefined)
      .finally(() => {
        isFinished = true;
      });
    this.#running = [ended, this.#running[0]];
    return Promise.race([finished, this.#pollUntilGone(names, () => isFinished)]);
  }

  async #delete(names: readonly string[]): Promise<void> {
    try {
      await this.netlink.apply((changes) => changes.deleteLinks(names));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    }
  }

  /** Resolves when no link is left; never after the deletion itself has finished. */
  async #pollUntilGone(names: readonly string[], isFinished: () => boolean): Promise<void> {
    for (const name of [...names].reverse()) {
      while (this.#exists(name)) {
        if (isFinished()) return new Promise(() => undefined);
        await delay(1);
      }
    }
  }

  /** A link's settings disappear with it. Reading them does not block behind the deletion, as a netlink query would. */
  #exists(name: string): boolean {
    return this.sysctl.read(`net/ipv4/conf/${name}/forwarding`) !== undefined;
  }
}
