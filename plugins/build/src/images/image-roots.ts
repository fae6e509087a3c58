import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type StorageDriver, StorageDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, Logger } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { ImageService } from '@gantry/images/service';

/** The mounted root file system of an image, with a writable layer. */
export interface ImageRoot {
  readonly directory: string;
  /** The changes, as a layer. */
  diff(options: { readonly signal: AbortSignal }): Promise<Readable>;
  /** Never rejects. */
  release(): Promise<void>;
}

/** Mounts images. */
@injectable()
export class ImageRoots {
  readonly #storage: StorageDriver;

  constructor(
    @inject(StorageDrivers.token) storages: DriverSet<StorageDriver>,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#storage = storages.get();
  }

  /** Mounts an image; for undefined, an empty root. On rejection nothing is left. */
  async open(imageId: string | undefined): Promise<ImageRoot> {
    // As long as a container's id, so that the containers area removes it after a crash.
    const id = randomBytes(32).toString('hex');
    const image = imageId === undefined ? undefined : this.images.byId(imageId);
    if (imageId !== undefined && image === undefined) throw notFound(`No such image: ${imageId}`);
    const releaseImage = imageId === undefined ? () => undefined : this.images.hold(imageId);
    const release = async (): Promise<void> => {
      await this.#storage.removeWritable(id).catch((error: unknown) => {
        const facts = { event: 'build.root-orphaned', writable: id, error };
        this.log.warn(facts, 'failed to remove the writable layer of a build');
      });
      releaseImage();
    };
    try {
      const parent = image?.topLayer;
      await this.#storage.createWritable({ id, ...(parent !== undefined && { parent }) });
      const directory = await this.#storage.mount(id);
      return { directory, diff: (options) => this.#storage.diff(id, options), release };
    } catch (error) {
      await release();
      throw error;
    }
  }
}
