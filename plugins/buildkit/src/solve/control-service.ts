import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, messageOf, notImplemented } from '@gantry/core/errors';
import { cacheImportsOf } from '../cache/cache-options.js';
import { ExportResult } from '../export/export-result.js';
import type { ServerCall } from '../grpc/grpc-server.js';
import { BuildHistory } from '../jobs/build-history.js';
import { BuildJobs } from '../jobs/build-jobs.js';
import type { Attributes, ControlSolveRequest, StatusResponse } from '../protocol/messages.js';
import type { ConnectionFacts } from './connection-facts.js';
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
    @inject(ExportResult) private readonly exportResult: ExportResult,
    @inject(BuildHistory) private readonly history: BuildHistory,
  ) {}

  /**
   * A client names a frontend, or none: then it drives the build through the gateway, and this call waits for what it
   * returns. Resolves when the result is exported.
   */
  async solve(request: ControlSolveRequest, { signal, connection }: ServerCall<ConnectionFacts>): Promise<object> {
    if (request.Ref === '') throw invalidArgument('Ref: a build needs a reference');
    const job = this.jobs.open(request);
    if (!request.Internal) this.history.start(job);
    try {
      this.#check(request);
      const inputs = request.FrontendInputs;
      const result =
        request.Frontend === ''
          ? await job.returned(signal)
          : job.result(
              await this.dockerfile.solve(
                job,
                { attributes: request.FrontendAttrs, inputs },
                { signal, judge: connection.judge },
              ),
            );
      const response = result === undefined ? {} : await this.exportResult.export(job, result);
      this.history.complete(job, response, undefined);
      return { ExporterResponse: response };
    } catch (error) {
      this.history.complete(job, {}, messageOf(error));
      throw error;
    } finally {
      this.jobs.end(job);
    }
  }

  /** The progress of a build, from its beginning to its end. */
  async *status({ Ref }: { readonly Ref: string }, call: ServerCall<ConnectionFacts>): AsyncGenerator<StatusResponse> {
    const reported = this.history.progress(Ref);
    const job = reported === undefined || this.jobs.has(Ref) ? await this.jobs.get(Ref, call) : undefined;
    if (job === undefined) return yield* reported ?? [];
    yield* job.progress.follow(call.signal);
  }

  #check(request: ControlSolveRequest): void {
    refuseDefinitions(request);
    refuseFrontend(request.Frontend, request.FrontendAttrs);
    cacheImportsOf(request);
    this.exportResult.check(request);
    if (request.SourcePolicy.length > 0) throw notImplemented('SourcePolicy is not supported by this builder');
    for (const name of request.Entitlements) {
      if (!entitlements.has(name)) throw notImplemented(`entitlement ${name} is not supported by this builder`);
    }
  }
}

/** @throws EngineError `not-implemented` for a frontend that is not answered by this builder. */
export function refuseFrontend(frontend: string, attributes: Attributes): void {
  if (frontend === '' || frontend === 'dockerfile.v0') return;
  const source = attributes.source ?? '';
  // A syntax image: its language is what this builder speaks.
  if (frontend === 'gateway.v0' && /^(?:docker\.io\/)?docker\/dockerfile(?:[:@-].*)?$/.test(source)) return;
  throw notImplemented(
    `frontend ${frontend}${source === '' ? '' : ` ${source}`} is not supported by this builder; dockerfile.v0 is`,
  );
}
