import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { ImageExchange } from '@gantry/images/service';
import { FirstImages } from '../cache/first-images.js';
import { StepCache } from '../cache/step-cache.js';
import type { NamedContext } from '../contract/build-request.js';
import { factsOf } from '../images/facts-of.js';
import type { BuildSession } from '../session/build-session.js';

/** Makes images of directories that FROM names. */
@injectable()
export class ContextImages {
  constructor(
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(StepCache) private readonly cache: StepCache,
    @inject(FirstImages) private readonly firstImages: FirstImages,
  ) {}

  /** Resolves to the id of an image of one layer with the files of a context. */
  async make(
    { named, signal }: BuildSession,
    source: Extract<NamedContext, { readonly kind: 'archive' | 'remote' }>,
  ): Promise<string> {
    const directory = await (await named.directory(source)).files();
    const archive = this.archives.get();
    const { digest } = factsOf(await archive.listTree(directory, '/', { digests: true, signal }));
    const containerConfig = { Cmd: ['/bin/sh', '-c', `#(nop) FROM context dir:${digest} `] };
    const known = this.cache.find(undefined, containerConfig);
    if (known !== undefined) return known;
    const layer = archive.packTree(directory, '/', { name: '', signal });
    const createdBy = containerConfig.Cmd.join(' ');
    const id = await this.exchange.create({ layer, config: {}, createdBy, containerConfig }, { signal });
    await this.firstImages.add(id);
    return id;
  }
}
