import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { formatReference, fullName, ImageExchange, ImageService, parseReference } from '@gantry/images/service';
import type { BuildSession } from '../session/build-session.js';

interface FindBaseOptions {
  /** Pull even if the image is stored. */
  readonly pull: boolean;
  readonly onProgress: (item: object) => void;
}

/** The images that FROM and --from name. */
@injectable()
export class BaseImages {
  constructor(
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
  ) {}

  /** Resolves to the image's id. An image that is not stored is pulled; one that several steps name is looked for once. */
  async find(session: BuildSession, name: string, options: FindBaseOptions): Promise<string> {
    const reference = formatReference(parseReference(name));
    return session.image(`${options.pull} ${reference}`, () => this.#find(session, reference, options));
  }

  async #find(
    { bases, output, request, signal }: BuildSession,
    reference: string,
    options: FindBaseOptions,
  ): Promise<string> {
    const shown = output.image(fullName(reference), bases.stageOf(fullName(reference)));
    try {
      const stored = options.pull ? undefined : this.#stored(reference);
      const progress = (item: object): void => {
        shown.object(item);
        options.onProgress(item);
      };
      const pull = async (): Promise<string> =>
        this.exchange.pull({ reference, keychain: await request.credentials(reference), progress }, { signal });
      const id = stored ?? (await pull());
      shown.end({ wasStored: stored !== undefined });
      return id;
    } catch (error) {
      shown.end({ error });
      throw error;
    }
  }

  #stored(name: string): string | undefined {
    try {
      return this.images.get(name).id;
    } catch (error) {
      if (kindOf(error) !== 'not-found') throw error;
      return undefined;
    }
  }
}
