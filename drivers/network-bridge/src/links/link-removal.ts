import { setTimeout as delay } from 'node:timers/promises';
import { isErrno } from '@gantry/lib-linux/errors';
import { kernelSysctl, type NetlinkSocket } from '@gantry/lib-linux/netlink';

/**
 * Deletes links off the main thread. They are gone after a few ms; then the kernel waits some 20 ms for everyone who may
 * still look at them, which is little more for many than for one. So what is asked for while it works on two rounds is
 * deleted together afterwards.
 */
export class LinkRemoval {
  readonly #waiting = new Map<string, Promise<void>>();
  /** The round that began last, and the one before it: as many threads of the pool as may be lost in waiting. */
  #running: readonly [last: Promise<void>, before: Promise<void>] = [Promise.resolve(), Promise.resolve()];

  constructor(private readonly netlink: NetlinkSocket) {}

  /** Resolves when the link is gone. Absent: resolves. */
  remove(name: string): Promise<void> {
    const already = this.#waiting.get(name);
    if (already !== undefined) return already;
    // The first of a round waits for its turn; the others go with it.
    const [round] = this.#waiting.values();
    const removed = round ?? this.#running[1].then(() => this.#removeWaiting());
    this.#waiting.set(name, removed);
    return removed;
  }

  /** Resolves when the kernel has finished what was asked for. */
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
    return Promise.race([finished, untilGone(names, () => isFinished)]);
  }

  async #delete(names: readonly string[]): Promise<void> {
    try {
      await this.netlink.apply((changes) => changes.deleteLinks(names));
    } catch (error) {
      if (!isErrno(error, 'ENODEV')) throw error;
    }
  }
}

/** A link takes its settings with it. To look at them keeps nobody waiting, as a question about the link would. */
const exists = (name: string): boolean => kernelSysctl.read(`net/ipv4/conf/${name}/forwarding`) !== undefined;

/** Resolves when no link is left; never when there is no need any more. */
async function untilGone(names: readonly string[], isNeedless: () => boolean): Promise<void> {
  for (let [first, ...rest] = [...names].reverse(); first !== undefined; [first, ...rest] = rest) {
    while (exists(first)) {
      if (isNeedless()) return new Promise(() => undefined);
      await delay(1);
    }
  }
}
