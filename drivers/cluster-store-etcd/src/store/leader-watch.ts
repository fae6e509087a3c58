import { setTimeout as delay } from 'node:timers/promises';
import type { EtcdClient, MemberStatus } from '../rpc/etcd-client.js';

/** Milliseconds between two looks at who leads, and while there is no leader. */
const interval = 250;
const electionInterval = 50;
/** How long one look may take: an etcd that hangs has no leader, as far as others are concerned. */
const answerLimit = 5_000;
/** Milliseconds. When this process itself was later than that, the answer may be there, and not read yet. */
const ownLateness = 500;

/** Whether this member of etcd leads, as it says itself: a leader without a majority stops leading within an election timeout. */
export class LeaderWatch {
  /**
   * @param isAlone there is no other member: this one leads whenever its etcd runs.
   * @param onVoter called whenever the member is seen to be a voter.
   * @param onStatus called with every answer of the member.
   */
  constructor(
    private readonly client: Pick<EtcdClient, 'status'>,
    private readonly isAlone: () => boolean,
    private readonly onVoter: () => Promise<void>,
    private readonly onStatus: (status: MemberStatus) => Promise<void>,
    /** Milliseconds of any clock. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Resolves when the member leads. Rejects with the reason of the signal. */
  async untilLeading(signal: AbortSignal): Promise<void> {
    for (;;) {
      const status = await this.#look(signal);
      if (status === 'leading') return;
      await delay(status === 'following' ? interval : electionInterval, undefined, { signal });
    }
  }

  /** Resolves when the member does not lead any more, or the signal aborts. */
  async untilLost(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(interval, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
      if (signal.aborted || this.isAlone()) continue;
      const began = this.now();
      const status = await this.#look(signal).catch(() => 'unavailable');
      const isLate = this.now() - began > answerLimit + ownLateness;
      if (status !== 'leading' && !(status === 'unavailable' && isLate)) return;
    }
  }

  async #look(signal: AbortSignal): Promise<'leading' | 'following' | 'electing'> {
    const status = await this.client.status({ signal, limit: answerLimit });
    await this.onStatus(status);
    const { header, isLearner, leader } = status;
    if (leader === '0') return 'electing';
    if (!isLearner) await this.onVoter();
    return !isLearner && leader === header.memberId ? 'leading' : 'following';
  }
}
