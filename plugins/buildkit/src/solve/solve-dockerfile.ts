import { BuildService, type NamedText } from '@gantry/build/service';
import type { StepJudge } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
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
import { lintAnswer } from './lint-answer.js';
import { lint, toVertexWarnings } from './lint-request.js';

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
    let isLinted = false;
    const output = new VertexOutput(job.progress, (file) => {
      if (!isLinted) this.#lint(job, file, request);
      isLinted = true;
    });
    try {
      return await this.#build(job, request, output, { signal, judge });
    } catch (error) {
      signal.throwIfAborted();
      throw await failureOfBuild(error, output);
    }
  }

  /** Answers the request `frontend.lint`: the checks of a build file, without a build. Rejects as `solve` does. */
  async check(
    job: BuildJob,
    { attributes: given, inputs }: FrontendRequest,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, Buffer>>> {
    const attributes = parseFrontendAttributes(given);
    const session = await this.sessions.get(job.request.Session, { signal });
    await this.sources.named({ job, session, signal }, attributes, inputs);
    const source = await this.sources.source({ job, session, signal }, attributes);
    const { buildFile } = source;
    if (buildFile === undefined)
      throw notImplemented('the checks of a context at a URL are not supported by this builder');
    return lintAnswer(buildFile, () => lint(buildFile, attributes, this.images));
  }

  /** Shows what could be better in the build file. @throws EngineError `invalid-argument` where that fails the build. */
  #lint(job: BuildJob, file: NamedText, { attributes }: FrontendRequest): void {
    const { warnings, failsBuild } = lint(file, parseFrontendAttributes(attributes), this.images);
    if (warnings.length === 0) return;
    const vertex = job.progress.digestOf(`[internal] load build definition from ${file.name}`);
    job.progress.warn(toVertexWarnings(file, warnings, vertex));
    if (!failsBuild) return;
    const rules = [...new Set(warnings.map(({ rule }) => rule))];
    throw invalidArgument(`lint violation found for rules: ${rules.join(', ')}`);
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
