import type { StepJudge } from '@gantry/containers/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineError, messageOf } from '@gantry/core/errors';
import { bodyStream, type Context, jsonStream, queryOf, type Router, sendJson, statuses } from '@gantry/core/http';
import { decodeRegistryConfig, EngineApi } from '@gantry/engine-api/service';
import { ClassicBuild } from './classic-build.js';
import { ContextOpener } from './context/context-opener.js';
import { CacheMounts } from './mounts/cache-mounts.js';
import { StepMounts } from './mounts/step-mounts.js';
import { parseBuildQuery } from './parse-build-query.js';
import { ClassicOutput } from './session/classic-output.js';
import { StepFailed } from './steps/step-failed.js';

const pruneFilters = [
  'description',
  'id',
  'inuse',
  'label',
  'label!',
  'mutable',
  'parent',
  'private',
  'shared',
  'type',
  'unused-for',
  'until',
] as const;

/** Spec: POST /build. */
@injectable()
export class BuildRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(ContextOpener) private readonly contexts: ContextOpener,
    @inject(CacheMounts) private readonly caches: CacheMounts,
    @inject(StepMounts) private readonly stepMounts: StepMounts,
    @inject(ClassicBuild) private readonly classicBuild: ClassicBuild,
  ) {}

  async start(): Promise<void> {
    await Promise.all([this.contexts.clear(), this.stepMounts.clear()]);
    this.lifetime.add(this.api.routes('build', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.post('/build/prune', (ctx) => this.#prune(ctx));
    router.post('/build', statuses.unavailableIsServerError, (ctx) => this.#build(ctx));
  }

  /** API 1.31. Cached steps are images, which the prune of images removes; the rest are the caches of `RUN --mount`. */
  async #prune(ctx: Context): Promise<void> {
    const query = queryOf(ctx);
    query.filters(pruneFilters);
    for (const key of ['keep-storage', 'reserved-space', 'max-used-space', 'min-free-space']) query.integer(key);
    const { names, bytes } = await this.caches.prune();
    sendJson(ctx, { CachesDeleted: names.length === 0 ? null : names, SpaceReclaimed: bytes });
  }

  /** Errors are reported in the stream once there are a context and a build file with instructions. */
  async #build(ctx: Context): Promise<void> {
    const query = queryOf(ctx);
    const request = parseBuildQuery(query, decodeRegistryConfig(ctx.get('X-Registry-Config')));
    const { signal } = ctx.state;
    let output: ClassicOutput | undefined;
    const begin = (): ClassicOutput => {
      output = new ClassicOutput(jsonStream(ctx).open(), request.quiet);
      return output;
    };
    const source = {
      body: bodyStream(ctx),
      remote: query.string('remote') ?? '',
      buildFile: query.string('buildfile') ?? '',
    };
    try {
      const judge: StepJudge = (effective) => ctx.state.review(effective);
      await this.classicBuild.build(source, request, begin, { signal, judge });
    } catch (error) {
      if (output === undefined) throw error;
      // A client that is still there learns why its build was aborted.
      if (signal.reason instanceof EngineError) await output.failure(messageOf(signal.reason));
      else if (!signal.aborted)
        await output.failure(messageOf(error), ...(error instanceof StepFailed ? [error.code] : []));
    }
  }
}
