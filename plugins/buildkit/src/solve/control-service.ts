import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import type { ServerCall } from '../grpc/grpc-server.js';
import type { Attributes, ControlSolveRequest, Exporter, StatusResponse } from '../protocol/messages.js';
import type { BuildJob } from './build-job.js';
import { BuildJobs } from './build-jobs.js';
import { cacheSourcesOf, refuseCacheExports } from './cache-options.js';
import type { ConnectionFacts } from './connection-facts.js';
import { ImageExporter } from './image-exporter.js';
import { refuseDefinitions } from './refuse-definitions.js';
import { SolveDockerfile } from './solve-dockerfile.js';

/** Entitlements that a client may name; what they allow is checked where it is asked for. */
const entitlements: ReadonlySet<string> = new Set(['network.host']);

/** The service moby.buildkit.v1.Control: builds. */
@injectable()
export class ControlService {
  constructor(
    @inject(BuildJobs) private readonly jobs: BuildJobs,
    @inject(SolveDockerfile) private readonly dockerfile: SolveDockerfile,
    @inject(ImageExporter) private readonly exporter: ImageExporter,
  ) {}

  /**
   * A client names a frontend, or none: then it drives the build through the gateway, and this call waits for what it
   * returns. Resolves when the result is exported.
   */
  async solve(request: ControlSolveRequest, { signal, connection }: ServerCall<ConnectionFacts>): Promise<object> {
    if (request.Ref === '') throw invalidArgument('Ref: a build needs a reference');
    const job = this.jobs.open(request);
    try {
      const exporters = this.#checked(request);
      const imageId =
        request.Frontend === ''
          ? await job.returned(signal)
          : job.result(await this.dockerfile.solve(job, request.FrontendAttrs, { signal, judge: connection.judge }));
      return { ExporterResponse: await this.#export(job, imageId, exporters) };
    } finally {
      this.jobs.end(job);
    }
  }

  /** The progress of a build, from its beginning to its end. */
  async *status({ Ref }: { readonly Ref: string }, call: ServerCall<ConnectionFacts>): AsyncGenerator<StatusResponse> {
    const job = await this.jobs.get(Ref, call);
    yield* job.progress.follow(call.signal);
  }

  async #export(job: BuildJob, imageId: string | undefined, exporters: readonly Exporter[]): Promise<Attributes> {
    if (imageId === undefined) return {};
    const responses: Attributes[] = [];
    for (const exporter of exporters) responses.push(await this.exporter.export(job, imageId, exporter));
    return Object.assign({}, ...responses) as Attributes;
  }

  #checked(request: ControlSolveRequest): readonly Exporter[] {
    refuseDefinitions(request);
    refuseFrontend(request.Frontend, request.FrontendAttrs);
    refuseCacheExports(request);
    cacheSourcesOf(request);
    if (request.SourcePolicy.length > 0) throw notImplemented('SourcePolicy is not supported by this builder');
    for (const name of request.Entitlements) {
      if (!entitlements.has(name)) throw notImplemented(`entitlement ${name} is not supported by this builder`);
    }
    const first = { Type: request.ExporterDeprecated, Attrs: request.ExporterAttrsDeprecated };
    const exporters = request.Exporters.length > 0 || first.Type === '' ? request.Exporters : [first];
    for (const exporter of exporters) this.exporter.check(exporter);
    return exporters;
  }
}

/** @throws EngineError `not-implemented` for a frontend that is not answered by this builder. */
export function refuseFrontend(frontend: string, attributes: Attributes): void {
  if (frontend === '' || frontend === 'dockerfile.v0') return;
  const source = attributes['source'] ?? '';
  // A syntax image: its language is what this builder speaks.
  if (frontend === 'gateway.v0' && /^(?:docker\.io\/)?docker\/dockerfile(?:[:@-].*)?$/.test(source)) return;
  throw notImplemented(
    `frontend ${frontend}${source === '' ? '' : ` ${source}`} is not supported by this builder; dockerfile.v0 is`,
  );
}
