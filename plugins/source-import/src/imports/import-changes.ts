import { injectable, KeyedMutex } from '@gantry/core/driver';

/** Serializes the changes that users make to the import of one repository, by repository id. */
@injectable()
export class ImportChanges {
  readonly #mutex = new KeyedMutex();

  run<T>(repositoryId: number, change: () => Promise<T>): Promise<T> {
    return this.#mutex.run(String(repositoryId), change);
  }
}
