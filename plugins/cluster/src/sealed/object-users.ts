import type { ManagerSession, SealedObjectUsers } from '../service.js';

/** The areas whose objects use secrets and configs. */
export class ObjectUsers {
  readonly #sources = new Set<SealedObjectUsers>();

  add(users: SealedObjectUsers): () => void {
    this.#sources.add(users);
    return () => void this.#sources.delete(users);
  }

  /** Names of the services that use a secret or config. */
  usersOf(session: ManagerSession, id: string): readonly string[] {
    return [...this.#sources].flatMap((source) => source.usersOf(session, id));
  }
}
