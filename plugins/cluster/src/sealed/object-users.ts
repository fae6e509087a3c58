import { Mutex } from '@gantry/core/driver';
import type { ManagerSession, SealedObjectUsers } from '../service.js';

/** The areas whose objects use secrets and configs. */
export class ObjectUsers {
  readonly #sources = new Set<SealedObjectUsers>();
  readonly #mutex = new Mutex();

  add(users: SealedObjectUsers): () => void {
    this.#sources.add(users);
    return () => void this.#sources.delete(users);
  }

  /** Runs a change that depends on who uses what, or that uses something: one at a time. */
  exclusively<T>(change: () => Promise<T>): Promise<T> {
    return this.#mutex.run(change);
  }

  /** Names of the services that use a secret or config. */
  usersOf(session: ManagerSession, id: string): readonly string[] {
    return [...this.#sources].flatMap((source) => source.usersOf(session, id));
  }
}
