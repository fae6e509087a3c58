import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { formatReference, ImageExchange, ImageService, parseReference } from '@gantry/images/service';
import type { FindCredentials } from '../contract/build-request.js';

interface FindBaseOptions {
  /** Pull even if the image is stored. */
  readonly pull: boolean;
  readonly credentials: FindCredentials;
  readonly onProgress: (item: object) => void;
  readonly signal: AbortSignal;
}

/** The images that FROM and --from name. */
@injectable()
export class BaseImages {
  constructor(
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
  ) {}

  /** Resolves to the image's id. An image that is not stored is pulled. */
  async find(name: string, { credentials, onProgress, pull, signal }: FindBaseOptions): Promise<string> {
    if (!pull) {
      try {
        return this.images.get(name).id;
      } catch (error) {
        if (kindOf(error) !== 'not-found') throw error;
      }
    }
    const reference = formatReference(parseReference(name));
    return this.exchange.pull({ reference, keychain: await credentials(reference), progress: onProgress }, { signal });
  }
}
