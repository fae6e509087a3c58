/** What a process did when it was measured. Only samples of the same duty can be compared. */
export type Duty = 'leader' | 'former leader' | 'follower' | 'nodes' | 'settling';

/**
 * Days until a manager has what its duty takes: watches are resumed from the last changes, which a leader keeps more of day by
 * day until they are as many as it keeps at most.
 */
const settlingDays = 14;
/** Days until other changes have taken the place of large ones. */
const daysOfLargeChanges = 28;

interface Process {
  isLeader: boolean;
  /** The day on which that began. */
  since: number;
  /** Days for which it has led before. */
  led: number;
}

/** What managers do, by their processes. */
export class Duties {
  readonly #processes = new Map<number, Process>();
  #largeChanges = Number.NEGATIVE_INFINITY;

  /** Many large changes were made. */
  noteLargeChanges(day: number): void {
    this.#largeChanges = day;
  }

  /** To be asked day by day. */
  of(pid: number, isLeader: boolean, day: number): Duty {
    const process = this.#processes.get(pid) ?? { isLeader, since: day, led: 0 };
    this.#processes.set(pid, process);
    if (process.isLeader !== isLeader) {
      if (process.isLeader) process.led += day - process.since;
      Object.assign(process, { isLeader, since: day });
    }
    if (day - process.since < settlingDays) return 'settling';
    if (isLeader) return day - this.#largeChanges < daysOfLargeChanges ? 'settling' : 'leader';
    if (process.led === 0) return 'follower';
    return process.led < settlingDays ? 'settling' : 'former leader'; // some of a leader's memory stays, once it was needed
  }
}
