import { injectable } from '@gantry/core/driver';
import type { Health } from '../health.js';

/** Where other areas supply what inspect and lists show of containers. */
@injectable()
export class FactSources {
  readonly #execs = new Set<(containerId: string) => readonly string[]>();
  readonly #health = new Set<(containerId: string) => Health | undefined>();

  addExecs(source: (containerId: string) => readonly string[]): () => void {
    this.#execs.add(source);
    return () => this.#execs.delete(source);
  }

  addHealth(source: (containerId: string) => Health | undefined): () => void {
    this.#health.add(source);
    return () => this.#health.delete(source);
  }

  execsOf(containerId: string): readonly string[] {
    return [...this.#execs].flatMap((source) => [...source(containerId)]);
  }

  healthOf(containerId: string): Health | undefined {
    for (const source of this.#health) {
      const health = source(containerId);
      if (health !== undefined) return health;
    }
    return undefined;
  }
}
