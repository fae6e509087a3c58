import { injectable } from '@gantry/core/driver';
import { conflict, unavailable } from '@gantry/core/errors';
import type { ClientSession } from './client-session.js';

/** How long a build waits for the session that it names, in milliseconds: clients open both at the same time. */
const openTimeout = 10_000;

/** The sessions of clients, by the id that the client chose. */
@injectable()
export class ClientSessions {
  readonly #sessions = new Map<string, ClientSession>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** @returns removes it. @throws EngineError `conflict` when the id is in use. */
  add(id: string, session: ClientSession): () => void {
    if (this.#sessions.has(id)) throw conflict(`session ${id} already exists`);
    this.#sessions.set(id, session);
    for (const resume of this.#waiting.get(id) ?? []) resume();
    return () => {
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    };
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Waits for the session to be opened. Rejects `unavailable` when it is not. */
  async get(id: string, { signal }: { readonly signal: AbortSignal }): Promise<ClientSession> {
    if (!this.#sessions.has(id)) await this.#opened(id, signal);
    signal.throwIfAborted();
    const session = this.#sessions.get(id);
    if (session === undefined || session.isClosed) throw unavailable(`no active session for ${id}`);
    return session;
  }

  async #opened(id: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(finish, openTimeout);
      function finish(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        waiting.delete(finish);
        resolve();
      }
      signal.addEventListener('abort', finish, { once: true });
      waiting.add(finish);
    });
    if (waiting.size === 0) this.#waiting.delete(id);
  }
}
