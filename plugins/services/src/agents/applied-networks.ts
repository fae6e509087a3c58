import { inject, injectable, Logger } from '@gantry/core/driver';

/** Milliseconds after which a node that applies nothing is not waited for: its own session ends later. */
const silenceTimeout = 3_000;

/** What one node has been sent of the networks, and what it has applied. */
class NodeProgress {
  #sent = 0;
  #current = 0;
  #applied = 0;

  constructor(
    readonly nodeId: string,
    private readonly onProgress: () => void,
  ) {}

  /** Up to this revision, the node has everything that it was sent: nothing has changed for it. */
  unchanged(revision: number): void {
    this.#current = Math.max(this.#current, revision);
    this.onProgress();
  }

  sent(revision: number): void {
    this.#sent = revision;
    this.#current = revision;
  }

  applied(revision: number): void {
    this.#applied = Math.max(this.#applied, revision);
    this.onProgress();
  }

  /** The revision whose networks the node has in effect. */
  get inEffect(): number {
    return this.#applied >= this.#sent ? Math.max(this.#current, this.#applied) : this.#applied;
  }
}

/**
 * Which changes of names, virtual addresses and published ports are in effect on which nodes, so that a task is stopped
 * only when no node sends it connections any more. Nodes without a connection are not waited for: they get the newest state
 * before anything else when they are back.
 */
@injectable()
export class AppliedNetworks {
  readonly #nodes = new Set<NodeProgress>();
  readonly #waiting = new Set<() => void>();

  constructor(@inject(Logger) private readonly log: Logger) {}

  /** Follows a node until the signal aborts. */
  open(nodeId: string, signal: AbortSignal): NodeProgress {
    const progress = new NodeProgress(nodeId, () => this.#notify());
    this.#nodes.add(progress);
    const remove = (): void => {
      this.#nodes.delete(progress);
      this.#notify();
    };
    if (signal.aborted) remove();
    else signal.addEventListener('abort', remove, { once: true });
    return progress;
  }

  /** A node has applied what it was sent. */
  applied(nodeId: string, revision: number): void {
    for (const node of this.#nodes) if (node.nodeId === nodeId) node.applied(revision);
  }

  /** Resolves when a revision is in effect on all connected nodes, and after a few seconds without those that are silent. */
  async settled(revision: number): Promise<void> {
    const behind = (): readonly string[] =>
      [...this.#nodes].filter(({ inEffect }) => inEffect < revision).map(({ nodeId }) => nodeId);
    if (behind().length === 0) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      const check = (): void => {
        if (behind().length === 0) end();
      };
      const timer = setTimeout(() => {
        const facts = { event: 'agent.node-behind', revision, nodes: behind() };
        this.log.warn(facts, 'nodes have not taken a task out of their backends in time');
        end();
      }, silenceTimeout);
      this.#waiting.add(check);
    });
  }

  #notify(): void {
    for (const check of [...this.#waiting]) check();
  }
}
