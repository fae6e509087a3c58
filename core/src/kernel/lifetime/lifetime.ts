/** Releases one resource: closes, unmounts, stops. */
export type Release = () => void | Promise<void>;

/**
 * Owns the resources its holder acquired, and releases them in the reverse order, each after the one before.
 * A release that throws does not keep the others from running.
 */
export class Lifetime {
  #releases: Release[] = [];
  #released: Promise<void> | undefined;

  get isReleased(): boolean {
    return this.#released !== undefined;
  }

  /** Takes over one resource. After `release`, it is released at once. @returns releases just this one, early. */
  add(release: Release): Release {
    if (this.#released !== undefined) {
      void this.#released.then(release).catch(() => undefined);
      return () => undefined;
    }
    this.#releases.push(release);
    return () => {
      const index = this.#releases.lastIndexOf(release);
      if (index < 0) return undefined;
      this.#releases.splice(index, 1);
      return release();
    };
  }

  /** A lifetime that ends with this one, or earlier by itself. */
  child(): Lifetime {
    const child = new Lifetime();
    this.add(() => child.release());
    return child;
  }

  /**
   * Releases everything. A second call waits for the first. Rejects with an AggregateError of what the releases
   * threw, after all have run.
   */
  release(): Promise<void> {
    this.#released ??= this.#run();
    return this.#released;
  }

  async #run(): Promise<void> {
    const failures: unknown[] = [];
    for (let next = this.#releases.pop(); next !== undefined; next = this.#releases.pop()) {
      try {
        await next();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'failed to release resources');
  }
}
