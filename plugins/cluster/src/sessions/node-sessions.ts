import { inject, injectable, Logger, settlesWithin } from '@gantry/core/driver';
import type { NodeSession } from '../service.js';

type Run = (session: NodeSession) => Promise<void> | void;

const closingLimit = 30_000;

/** The sessions of this engine as a node that does not lead, one at a time, and the work that lasts as long as they do. */
@injectable()
export class NodeSessions {
  readonly #runs = new Set<Run>();
  readonly #working = new Set<Promise<void>>();
  #current: NodeSession | undefined;

  constructor(@inject(Logger) private readonly log: Logger) {}

  open(session: NodeSession): void {
    this.#current = session;
    for (const run of this.#runs) this.#start(run, session);
  }

  /** Waits for the work of a session whose signal has aborted. */
  async close(): Promise<void> {
    this.#current = undefined;
    if (await settlesWithin(Promise.allSettled(this.#working), closingLimit)) return;
    this.log.warn({ event: 'swarm.work-not-ended' }, 'work of a swarm session did not end in time');
  }

  whileNode(run: Run): () => void {
    this.#runs.add(run);
    if (this.#current !== undefined) this.#start(run, this.#current);
    return () => void this.#runs.delete(run);
  }

  #start(run: Run, session: NodeSession): void {
    const work = (async () => run(session))()
      .catch((err: unknown) => {
        if (!session.signal.aborted)
          this.log.error({ event: 'swarm.work-failed', err }, 'work of a swarm session failed');
      })
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }
}
