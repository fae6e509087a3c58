import { injectable, KeyedMutex } from '@gantry/core/driver';

/** Serializes creating and removing networks of one name: checking the name and recording the network is one step. */
@injectable()
export class NetworkNameLock {
  readonly #mutex = new KeyedMutex();

  /** Locks several names. */
  runAll<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const [name, ...others] = [...new Set(names)].sort();
    return name === undefined ? work() : this.run(name, () => this.runAll(others, work));
  }

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(name, work);
  }
}
