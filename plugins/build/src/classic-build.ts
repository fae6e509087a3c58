import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { ImageExchange } from '@gantry/images/service';
import { BackgroundReleases } from './context/background-releases.js';
import { ContextOpener, type ContextSource } from './context/context-opener.js';
import type { ClassicBuildRequest } from './contract/build-request.js';
import { refuseEmpty } from './file/parse-build-file.js';
import { BuildCaches } from './gc/build-caches.js';
import { type BuildOptions, ImageBuild } from './image-build.js';
import type { ClassicOutput } from './session/classic-output.js';

/** Spec: POST /build. */
@injectable()
export class ClassicBuild {
  constructor(
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(ImageBuild) private readonly imageBuild: ImageBuild,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(BackgroundReleases) private readonly releases: BackgroundReleases,
    @inject(BuildCaches) private readonly buildCaches: BuildCaches,
  ) {}

  /**
   * Calls `begin` once context and build file are there; until then nothing was written to the client. Resolves to the
   * image id when the image has its names; the context is removed soon after. On rejection no container and no file of
   * the build is left, unless the client wants to keep containers; images of completed steps stay for the cache.
   */
  async build(
    source: ContextSource,
    request: ClassicBuildRequest,
    begin: () => ClassicOutput,
    { signal, judge }: BuildOptions,
  ): Promise<string> {
    const opened = await this.contexts.open(source, { signal });
    crashPoint('build.context.open');
    let isComplete = false;
    try {
      refuseEmpty(opened.buildFile);
      const output = begin();
      const complete = async ({ imageId }: { readonly imageId: string }): Promise<void> => {
        await this.exchange.name(imageId, request.tags);
        crashPoint('build.named');
      };
      const id = await this.imageBuild.run(opened, request, output, { signal, judge, complete });
      await output.result(id, { asObject: request.namesBuilder });
      for (const tag of request.tags) await output.text(`Successfully tagged ${tag}\n`);
      isComplete = true;
      return id;
    } finally {
      if (isComplete) await this.releases.begin(opened.context);
      else await opened.context.release();
      this.buildCaches.collect();
    }
  }
}
