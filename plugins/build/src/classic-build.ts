import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { ImageExchange } from '@gantry/images/service';
import { ContextOpener, type ContextSource } from './context/context-opener.js';
import type { ClassicBuildRequest } from './contract/build-request.js';
import { refuseEmpty } from './file/parse-build-file.js';
import { type BuildOptions, ImageBuild } from './image-build.js';
import type { ClassicOutput } from './session/classic-output.js';

/** Spec: POST /build. */
@injectable()
export class ClassicBuild {
  constructor(
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(ImageBuild) private readonly imageBuild: ImageBuild,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
  ) {}

  /**
   * Calls `begin` once context and build file are there; until then nothing was written to the client. Resolves to the
   * image id when the image has its names. On rejection no container and no file of the build is left,
   * unless the client wants to keep containers; images of completed steps stay for the cache.
   */
  async build(
    source: ContextSource,
    request: ClassicBuildRequest,
    begin: () => ClassicOutput,
    { signal, judge }: BuildOptions,
  ): Promise<string> {
    const opened = await this.contexts.open(source, { signal });
    crashPoint('build.context.open');
    try {
      refuseEmpty(opened.buildFile);
      const output = begin();
      const complete = async (id: string): Promise<void> => {
        await this.exchange.name(id, request.tags);
        crashPoint('build.named');
      };
      const id = await this.imageBuild.run(opened, request, output, { signal, judge, complete });
      await output.result(id, { asObject: request.namesBuilder });
      for (const tag of request.tags) await output.text(`Successfully tagged ${tag}\n`);
      return id;
    } finally {
      await opened.context.release();
    }
  }
}
