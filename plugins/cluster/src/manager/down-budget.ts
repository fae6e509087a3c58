/** Nodes that may be down at the same moment in every swarm. */
const least = 10;
/** The part of a larger swarm that may be. */
const share = 1 / 20;
/** Nanoseconds until as many nodes may be again. */
const refillTime = 10_000_000_000;

/**
 * Bounds how fast silent nodes are marked as down. Many nodes that fall silent together have most likely lost their network, or
 * their manager is overloaded, and will be back: to replace all of their tasks at once would overload the nodes that are left,
 * and then silence those too.
 */
export class DownBudget {
  #available = Number.POSITIVE_INFINITY;
  #takenAt = 0n;

  /**
   * @param size how many nodes the swarm has.
   * @param now of a monotonic clock, in nanoseconds.
   * @returns whether one more node may be marked as down now.
   */
  take(size: number, now: bigint): boolean {
    const most = Math.max(least, Math.ceil(size * share));
    const refill = (Number(now - this.#takenAt) / refillTime) * most;
    const available = Math.min(most, this.#available + refill);
    const isGranted = available >= 1;
    this.#available = isGranted ? available - 1 : available;
    this.#takenAt = now;
    return isGranted;
  }
}
