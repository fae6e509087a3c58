import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import { formatReference, ImageExchange, ImageService, parseReference } from '@gantry/images/service';

interface FindBaseOptions {
  /** Pull even if the image is stored. */
  readonly pull: boolean;
  /** By the registry's host. */
  readonly credentials: ReadonlyMap<string, RegistryCredentials>;
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
    const parsed = parseReference(name);
    return this.exchange.pull(
      { reference: formatReference(parsed), keychain: credentials, progress: onProgress },
      { signal },
    );
  }
}
