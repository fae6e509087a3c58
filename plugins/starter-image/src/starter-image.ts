import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Config, inject, injectable, Logger, PackageDirectories } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import { busyboxRoot } from './busybox-root.js';
import type { StarterImageConfig } from './config.js';

/** Makes the image, once per data root. */
@injectable()
export class StarterImage {
  /** Exists once the image was made, or was not needed. */
  readonly #marker: string;

  constructor(
    @inject(Config) private readonly config: StarterImageConfig,
    @inject(PackageDirectories) directories: Pick<PackageDirectories, 'root'>,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(Logger) private readonly log: Logger,
  ) {
    this.#marker = path.join(directories.root, 'offered');
  }

  isDone(): Promise<boolean> {
    return access(this.#marker).then(
      () => true,
      () => false,
    );
  }

  /** Does nothing when the engine has images. Never rejects: the engine works without the image. */
  async create(signal: AbortSignal): Promise<void> {
    if (await this.isDone()) return;
    const { program, reference } = this.config;
    try {
      if (this.images.count === 0) {
        const content = await readFile(program);
        if (signal.aborted) return;
        const id = await this.images.import(
          {
            archive: busyboxRoot(content),
            reference,
            changes: ['ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'CMD ["sh"]'],
            comment: `made from ${program}`,
          },
          { signal },
        );
        this.log.info({ event: 'starter-image.created', image: id, reference }, 'starter image created');
      }
      await writeFile(this.#marker, `${reference}\n`);
    } catch (error) {
      this.log.warn({ event: 'starter-image.failed', program, error }, 'no starter image');
    }
  }
}
