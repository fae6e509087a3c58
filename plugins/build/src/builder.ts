import { Readable } from 'node:stream';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { ContextOpener, type OpenContext } from './context/context-opener.js';
import { KeptContexts } from './context/kept-contexts.js';
import type { BuildOutput } from './contract/build-output.js';
import type { BuildRequest } from './contract/build-request.js';
import type { CacheFacts, PruneOptions } from './contract/cache-facts.js';
import type { ContextTransfer } from './contract/context-transfer.js';
import { contextPaths } from './file/context-paths.js';
import { parseBuildFile, refuseEmpty } from './file/parse-build-file.js';
import { wantedStages } from './file/wanted-stages.js';
import { BuildCaches } from './gc/build-caches.js';
import { type BuildOptions, ImageBuild } from './image-build.js';
import { ImageRoots } from './images/image-roots.js';
import type { BuildResult, BuildService, BuildSource, ImageFiles } from './service.js';

/** Builds for areas that speak another protocol. */
@injectable()
export class Builder implements BuildService {
  constructor(
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(ImageBuild) private readonly imageBuild: ImageBuild,
    @inject(ImageRoots) private readonly roots: ImageRoots,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
    @inject(KeptContexts) private readonly keptContexts: KeptContexts,
    @inject(BuildCaches) private readonly buildCaches: BuildCaches,
  ) {}

  async build(
    source: BuildSource,
    request: BuildRequest,
    output: BuildOutput,
    options: BuildOptions & { readonly complete: (result: BuildResult) => Promise<void> },
  ): Promise<string> {
    const opened = await this.#open(source, request, output, options);
    try {
      refuseEmpty(opened.buildFile);
      return await this.imageBuild.run(opened, request, output, options);
    } finally {
      await opened.context.release();
      this.buildCaches.collect();
    }
  }

  async openFiles(imageId: string): Promise<ImageFiles> {
    const { directory, release } = await this.roots.open(imageId);
    const archive = this.archives.get();
    return {
      tar: (options) => archive.packTree(directory, '/', { ...options, name: '' }),
      pack: (paths, options) => {
        const items = paths.map((path) => ({ path, name: path, contentOnly: false }));
        return items.length === 0 ? Readable.from([]) : archive.packSelection(directory, items, options);
      },
      release,
    };
  }

  caches(): Promise<readonly CacheFacts[]> {
    return this.buildCaches.list();
  }

  pruneCaches(options: PruneOptions): Promise<readonly CacheFacts[]> {
    return this.buildCaches.prune(options);
  }

  async #open(
    source: BuildSource,
    request: BuildRequest,
    output: BuildOutput,
    { signal }: BuildOptions,
  ): Promise<OpenContext> {
    if ('remote' in source) {
      const { remote, body, fileName, buildFile } = source;
      return this.contexts.open({ remote, body, buildFile: fileName, givenBuildFile: buildFile }, { signal });
    }
    const { buildFile, key, transfer } = source;
    refuseEmpty(buildFile);
    output.buildFile(buildFile);
    const stages = wantedStages(parseBuildFile(buildFile.text, buildFile.name), request);
    const paths = contextPaths(stages);
    const open = (): ContextTransfer => transfer(paths);
    const context =
      key === ''
        ? await this.contexts.create(() => open().archive(new Set()), { signal })
        : await this.keptContexts.open(JSON.stringify([key, paths]), open, { signal });
    return { context, buildFile };
  }
}
