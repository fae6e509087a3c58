import { injectable } from '@gantry/core/driver';
import { conflict, notImplemented } from '@gantry/core/errors';
import type { ImageSource, ImageSourceSettings, PullRequest } from './image-exchange.js';

/** Fetches images from the registered source. */
@injectable()
export class PullImage {
  #source: ImageSource | undefined;

  /** Resolves to the image id. Rejects `not-implemented` without a source. */
  async pull(request: PullRequest, options?: { readonly signal?: AbortSignal }): Promise<string> {
    if (this.#source === undefined) {
      throw notImplemented(
        `pulling ${request.reference} needs a registry client, which this engine has not loaded; load or import the image`,
      );
    }
    return this.#source.pull(request, options);
  }

  settings(): ImageSourceSettings | undefined {
    return this.#source?.settings?.();
  }

  /** @returns unregisters the source. */
  setSource(source: ImageSource): () => void {
    if (this.#source !== undefined) throw conflict('another package is registered as the source of images');
    this.#source = source;
    return () => {
      if (this.#source === source) this.#source = undefined;
    };
  }
}
