import type { StepJudge } from '@gantry/containers/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { EngineError, invalidArgument, messageOf } from '@gantry/core/errors';
import {
  bodyStream,
  type Context,
  jsonStream,
  type Query,
  queryOf,
  type Router,
  sendJson,
  statuses,
} from '@gantry/core/http';
import { decodeRegistryConfig, EngineApi } from '@gantry/engine-api/service';
import { parseDuration } from '@gantry/images/service';
import { ClassicBuild } from './classic-build.js';
import type { ClassicBuildRequest } from './contract/build-request.js';
import { cacheMatcher } from './contract/cache-matcher.js';
import { PruneCaches } from './gc/prune-caches.js';
import { operations } from './operations.js';
import { parseBuildQuery } from './parse-build-query.js';
import { ClassicOutput } from './session/classic-output.js';
import { RegisteredSessionBuilds } from './session-builds.js';
import { StaleFiles } from './stale-files.js';
import { StepFailed } from './steps/step-failed.js';

/** Of the records themselves. */
const recordFilters = ['description', 'id', 'inuse', 'mutable', 'parent', 'private', 'shared', 'type'] as const;

/** Of the time since the last use, and of labels, which `docker system prune` sends. */
const otherFilters = ['until', 'unused-for', 'label', 'label!'] as const;
const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** Spec: POST /build. */
@injectable()
export class BuildRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(PruneCaches) private readonly pruneCaches: PruneCaches,
    @inject(StaleFiles) private readonly staleFiles: StaleFiles,
    @inject(RegisteredSessionBuilds) private readonly sessionBuilds: RegisteredSessionBuilds,
    @inject(ClassicBuild) private readonly classicBuild: ClassicBuild,
  ) {}

  async start(): Promise<void> {
    await this.staleFiles.clear();
    this.lifetime.add(this.api.routes('build', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/build/prune', (ctx) => this.#prune(ctx));
    router.post('/build', statuses.unavailableIsServerError, (ctx) => this.#build(ctx));
  }

  /** API 1.31. */
  async #prune(ctx: Context): Promise<void> {
    const query = queryOf(ctx);
    const filters = query.filters([...recordFilters, ...otherFilters]);
    const given = filters.keys.filter((name) => !isOneOf(otherFilters, name));
    const [keepStorage, reservedSpace, maxUsedSpace, minFreeSpace] = limitNames.map((name) => query.integer(name) ?? 0);
    const { removed, reclaimed } = await this.pruneCaches.prune({
      // Caches have no labels.
      matches:
        filters.get('label').length > 0
          ? () => false
          : cacheMatcher([given.map((name) => conditionOf(name, filters.get(name))).join(',')]),
      unusedSince: unusedSince([...filters.get('until'), ...filters.get('unused-for')]),
      limits: {
        // What older clients send instead.
        reservedSpace: Math.max(keepStorage ?? 0, reservedSpace ?? 0),
        maxUsedSpace: maxUsedSpace ?? 0,
        minFreeSpace: minFreeSpace ?? 0,
      },
    });
    const ids = removed.map(({ id }) => id);
    sendJson(ctx, { CachesDeleted: ids.length === 0 ? null : ids, SpaceReclaimed: reclaimed });
  }

  /** Errors are reported in the stream once there are a context and a build file with instructions. */
  async #build(ctx: Context): Promise<void> {
    const query = queryOf(ctx);
    const request = parseBuildQuery(query, decodeRegistryConfig(ctx.get('X-Registry-Config')));
    const { signal } = ctx.state;
    if (query.string('version') === '2') return this.#buildForSession(ctx, query, request);
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

  async #buildForSession(ctx: Context, query: Query, request: ClassicBuildRequest): Promise<void> {
    const { builder } = this.sessionBuilds;
    if (builder === undefined) throw invalidArgument('this engine has no BuildKit');
    const text = (name: string): string => query.string(name) ?? '';
    await builder({
      request,
      remote: text('remote'),
      body: bodyStream(ctx),
      fileName: text('buildfile'),
      session: text('session'),
      reference: text('buildid'),
      outputs: text('outputs'),
      signal: ctx.state.signal,
      judge: (effective) => ctx.state.review(effective),
      begin: () => jsonStream(ctx).open(),
    });
  }
}

function conditionOf(name: string, [value, ...more]: readonly string[]): string {
  if (more.length > 0) throw invalidArgument(`filters: ${name} expects only one value`);
  return value === undefined ? name : `${name}==${value}`;
}

const limitNames = ['keep-storage', 'reserved-space', 'max-used-space', 'min-free-space'] as const;

/** The time before which a cache must have been used last: a duration ago, as the longest of those given. */
function unusedSince(durations: readonly string[]): Date | undefined {
  if (durations.length === 0) return undefined;
  const longest = Math.max(...durations.map((text) => parseDuration('filters: until', text)));
  return new Date(Date.now() - longest / 1e6);
}
