import { injectable } from '@gantry/core/driver';
import type { NetworkContainers } from '../service.js';

/** The containers area, which is constructed after this one and registers here. */
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

  /** False for an unknown container. */
  isRunning(containerId: string): boolean {
    return this.#registered?.isRunning(containerId) ?? false;
  }
}
