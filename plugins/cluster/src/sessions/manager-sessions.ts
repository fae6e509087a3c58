import { setMaxListeners } from 'node:events';
import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable, Logger, settlesWithin } from '@gantry/core/driver';
import type { ManagerSession } from '../service.js';

/** A session with the key that the store's secrets are sealed with. */
export interface OpenSession extends ManagerSession {
  readonly key: Buffer;
}

type Run = (session: ManagerSession) => Promise<void> | void;

const closingLimit = 30_000;

/** The sessions of this engine as a manager, one at a time, and the work of other areas that lasts as long as they do. */
@injectable()
export class ManagerSessions {
  readonly #runs = new Set<Run>();
  readonly #working = new Set<Promise<void>>();
  #current: { readonly session: OpenSession; readonly end: AbortController } | undefined;

  constructor(@inject(Logger) private readonly log: Logger) {}

  get current(): OpenSession | undefined {
    return this.#current?.session;
  }

  open(store: ClusterStore, nodeId: string, key: Buffer): OpenSession {
    const end = new AbortController();
    const session = { store, nodeId, key, signal: AbortSignal.any([end.signal, store.closed]) };
    setMaxListeners(0, session.signal); // every request of another node listens
    this.#current = { session, end };
    for (const run of this.#runs) this.#start(run, session);
    return session;
  }

  /** Ends the session, and waits for its work. The store stays open. */
  async close(reason: 'left' | 'stopping'): Promise<void> {
    this.#current?.end.abort(reason);
    this.#current = undefined;
    const working = Promise.allSettled(this.#working);
    if (await settlesWithin(working, closingLimit)) return;
    this.log.warn({ event: 'swarm.work-not-ended' }, 'work of a swarm session did not end in time');
  }

  whileManager(run: Run): () => void {
    this.#runs.add(run);
    if (this.#current !== undefined) this.#start(run, this.#current.session);
    return () => void this.#runs.delete(run);
  }

  #start(run: Run, session: ManagerSession): void {
    // Not before the caller has stored the session.
    const work = Promise.resolve()
      .then(() => run(session))
      .catch((err: unknown) => {
        if (!session.signal.aborted)
          this.log.error({ event: 'swarm.work-failed', err }, 'work of a swarm session failed');
      })
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }
}
