import { injectable } from '@gantry/core/driver';
import { kindOf, notFound } from '@gantry/core/errors';
import type { NetworkContainers } from '../service.js';

/** The containers area, which starts after this one and registers here. */
@injectable()
export class AttachedContainers {
  #registered: NetworkContainers | undefined;

  /** @returns removes the registration. */
  register(containers: NetworkContainers): () => void {
    this.#registered = containers;
    return () => {
      if (this.#registered === containers) this.#registered = undefined;
    };
  }

  /** @throws EngineError `not-found` when no package runs containers. */
  get(): NetworkContainers {
    if (this.#registered === undefined) throw notFound('No such container: this engine runs none');
    return this.#registered;
  }

  /** False for an unknown container. */
  isRunning(containerId: string): boolean {
    try {
      return this.#registered?.resolve(containerId).running ?? false;
    } catch (error) {
      if (kindOf(error) === 'not-found') return false;
      throw error;
    }
  }
}
