import { injectable } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { LoggedContainers, LogSource, LogSources } from './service.js';

/** The containers of the engine, once their area has registered them. */
@injectable()
export class KnownContainers implements LogSources {
  #containers: LoggedContainers | undefined;

  /** @returns removes them again. */
  add(containers: LoggedContainers): () => void {
    this.#containers = containers;
    return () => {
      if (this.#containers === containers) this.#containers = undefined;
    };
  }

  /** @throws EngineError `not-found`. */
  source(reference: string): LogSource {
    if (this.#containers === undefined) throw unavailable('no containers are available');
    return this.#containers.source(reference);
  }

  async rotateSpool(id: string): Promise<string | undefined> {
    return this.#containers?.rotateSpool(id);
  }
}
