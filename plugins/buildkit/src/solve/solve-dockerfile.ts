import { BuildService } from '@gantry/build/service';
import type { StepJudge } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { ImageService } from '@gantry/images/service';
import { cacheImportsOf } from '../cache/cache-options.js';
import { ImportCaches } from '../cache/import-caches.js';
import type { BuildJob } from '../jobs/build-job.js';
import { VertexOutput } from '../progress/vertex-output.js';
import type { Attributes, Definition } from '../protocol/messages.js';
import { ClientSessions } from '../sessions/client-sessions.js';
import { credentialsOf } from '../sessions/registry-credentials.js';
import { BuildSources } from './build-sources.js';
import { failureOfBuild } from './failure-of-build.js';
import { parseFrontendAttributes } from './frontend-attributes.js';

interface SolveOptions {
  readonly signal: AbortSignal;
  readonly judge: StepJudge;
}

interface FrontendRequest {
  readonly attributes: Attributes;
  /** Results of other builds, as the contexts of this one. */
  readonly inputs: Readonly<Record<string, Definition>>;
}

/** The frontend `dockerfile.v0`, answered by the engine's own builder. */
@injectable()
export class SolveDockerfile {
  constructor(
    @inject(BuildService.token) private readonly builder: BuildService,
    @inject(ImageService.token) private readonly images: ImageService,
    @inject(ClientSessions) private readonly sessions: ClientSessions,
    @inject(BuildSources) private readonly sources: BuildSources,
    @inject(ImportCaches) private readonly caches: ImportCaches,
  ) {}

  /**
   * Resolves to the name of the result in the job, which keeps the image. Rejects with the code that clients print no
   * name for: whatever fails is the build.
   */
  async solve(job: BuildJob, request: FrontendRequest, { signal: callSignal, judge }: SolveOptions): Promise<string> {
    const signal = AbortSignal.any([callSignal, job.signal]);
    const output = new VertexOutput(job.progress);
    try {
      return await this.#build(job, request, output, { signal, judge });
    } catch (error) {
      signal.throwIfAborted();
      throw await failureOfBuild(error, output);
    }
  }

  async #build(
    job: BuildJob,
    request: FrontendRequest,
    output: VertexOutput,
    { signal, judge }: SolveOptions,
  ): Promise<string> {
    const attributes = parseFrontendAttributes(request.attributes);
    const session = await this.sessions.get(job.request.Session, { signal });
    const client = { job, session, signal };
    const namedContexts = await this.sources.named(client, attributes, request.inputs);
    const source = await this.sources.source(client, attributes);
    const caches = await this.caches.open(job, session, cacheImportsOf(job.request), signal);
    try {
      let result = '';
      const complete = async ({ imageId, stageImages }: { imageId: string; stageImages: readonly string[] }) => {
        const releases = [...new Set([imageId, ...stageImages])].map((id) => this.images.hold(id));
        result = job.addResult({ imageId, stageImages }, () => {
          for (const release of releases) release();
        });
      };
      const build = {
        ...attributes.request,
        namedContexts,
        cacheFrom: [],
        cacheImports: caches.imports,
        credentials: credentialsOf(session, signal),
        readSecret: (id: string) => session.secret(id, { signal }),
        findAgent: (id: string) => session.agent(id, { signal }),
        allowsHostNetwork: job.request.Entitlements.includes('network.host'),
      };
      await this.builder.build(source, build, output, { signal, judge, complete });
      return result;
    } finally {
      await caches.release();
    }
  }
}
