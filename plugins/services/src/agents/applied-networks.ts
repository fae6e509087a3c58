import { inject, injectable, Logger, type Timer } from '@gantry/core/driver';

/** Milliseconds after which a node that applies nothing is not waited for: its own session ends later. */
const silenceTimeout = 3_000;

/** Milliseconds after which a node is sent the next change though it has not confirmed the last. */
const confirmationTimeout = 1_000;

/** What one node has been sent of the networks, and what it has applied. */
class NodeProgress {
  #sent = Number.POSITIVE_INFINITY;
  #applied = 0;
  /** Something has changed for the node that it was not sent yet. */
  #isPending = true;
  /** Ends the wait for a confirmation. */
  #resume: () => void = () => undefined;

  constructor(
    readonly nodeId: string,
    private readonly onProgress: () => void,
  ) {}

  /** The node is to be sent a change. */
  changed(): void {
    this.#isPending = true;
  }

  /** What had changed makes no difference to the node. */
  unchanged(): void {
    this.#isPending = false;
    this.onProgress();
  }

  sent(revision: number): void {
    this.#sent = revision;
    this.#isPending = false;
  }

  /** Resolves when the node has confirmed what it was sent last, or has been silent for too long to be waited for. */
  async confirmed(timer: Timer): Promise<void> {
    if (this.#isConfirmed) return;
    await new Promise<void>((resolve) => {
      const cancel = timer.after(confirmationTimeout, resolve);
      this.#resume = () => {
        cancel();
        resolve();
      };
    });
  }

  /** The connection with the node has ended. */
  ended(): void {
    this.#resume();
  }

  applied(revision: number): void {
    this.#applied = Math.max(this.#applied, revision);
    if (this.#isConfirmed) this.#resume();
    this.onProgress();
  }

  /** The revision whose networks the node has in effect, when changes up to another one are distributed. */
  inEffect(distributed: number): number {
    return !this.#isPending && this.#isConfirmed ? Math.max(distributed, this.#applied) : this.#applied;
  }

  get #isConfirmed(): boolean {
    return this.#applied >= this.#sent;
  }
}

interface Waiting {
  readonly revision: number;
  end(): void;
}

/**
 * Which changes of names, virtual addresses and published ports are in effect on which nodes, so that a task is stopped
 * only when no node sends it connections any more. Nodes without a connection are not waited for: they get the newest state
 * before anything else when they are back.
 */
@injectable()
export class AppliedNetworks {
  readonly #nodes = new Map<string, Set<NodeProgress>>();
  readonly #waiting = new Set<Waiting>();
  #distributed = 0;
  #isCheckDue = false;

  constructor(@inject(Logger) private readonly log: Logger) {}

  /** Follows a node until the signal aborts. */
  open(nodeId: string, signal: AbortSignal): NodeProgress {
    const progress = new NodeProgress(nodeId, () => this.#notify());
    const all = this.#nodes.get(nodeId) ?? new Set();
    this.#nodes.set(nodeId, all.add(progress));
    const remove = (): void => {
      all.delete(progress);
      if (all.size === 0 && this.#nodes.get(nodeId) === all) this.#nodes.delete(nodeId);
      progress.ended();
      this.#notify();
    };
    if (signal.aborted) remove();
    else signal.addEventListener('abort', remove, { once: true });
    return progress;
  }

  /** Every node that a change up to this revision concerns was notified of it. */
  distributed(revision: number): void {
    this.#distributed = revision;
    this.#notify();
  }

  /** A node has applied what it was sent. */
  applied(nodeId: string, revision: number): void {
    for (const node of this.#nodes.get(nodeId) ?? []) node.applied(revision);
  }

  /** Resolves when a revision is in effect on all connected nodes, and after a few seconds without those that are silent. */
  async settled(revision: number): Promise<void> {
    if (this.#leastInEffect() >= revision) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve();
      };
      const timer = setTimeout(() => {
        const facts = { event: 'agent.node-behind', revision, nodes: this.#behind(revision) };
        this.log.warn(facts, 'nodes have not taken a task out of their backends in time');
        end();
      }, silenceTimeout);
      const waiting = { revision, end };
      this.#waiting.add(waiting);
    });
  }

  /** Once for all that happens in one turn of the event loop: a thousand nodes answer at the same time. */
  #notify(): void {
    if (this.#isCheckDue || this.#waiting.size === 0) return;
    this.#isCheckDue = true;
    setImmediate(() => {
      this.#isCheckDue = false;
      const least = this.#leastInEffect();
      for (const waiting of [...this.#waiting]) if (waiting.revision <= least) waiting.end();
    });
  }

  #leastInEffect(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const all of this.#nodes.values()) {
      for (const node of all) least = Math.min(least, node.inEffect(this.#distributed));
    }
    return least;
  }

  #behind(revision: number): readonly string[] {
    const all = [...this.#nodes.values()].flatMap((each) => [...each]);
    return all.filter((node) => node.inEffect(this.#distributed) < revision).map(({ nodeId }) => nodeId);
  }
}
