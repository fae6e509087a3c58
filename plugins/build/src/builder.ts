import { inject, injectable } from '@gantry/core/driver';
import { ContextOpener } from './context/context-opener.js';
import type { BuildOutput } from './contract/build-output.js';
import type { BuildRequest } from './contract/build-request.js';
import { contextPaths } from './file/context-paths.js';
import { parseBuildFile, refuseEmpty } from './file/parse-build-file.js';
import { wantedStages } from './file/wanted-stages.js';
import { type BuildOptions, ImageBuild } from './image-build.js';
import type { BuildService, BuildSource } from './service.js';

/** Builds whose context is fetched when a step needs it. */
@injectable()
export class Builder implements BuildService {
  constructor(
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(ImageBuild) private readonly imageBuild: ImageBuild,
  ) {}

  async build(
    { buildFile, archive }: BuildSource,
    request: BuildRequest,
    output: BuildOutput,
    options: BuildOptions & { readonly complete: (imageId: string) => Promise<void> },
  ): Promise<string> {
    refuseEmpty(buildFile);
    const stages = wantedStages(parseBuildFile(buildFile.text, buildFile.name), request);
    const open = () => archive(contextPaths(stages));
    const context = await this.contexts.create(open, { signal: options.signal });
    try {
      return await this.imageBuild.run({ context, buildFile }, request, output, options);
    } finally {
      await context.release();
    }
  }
}
