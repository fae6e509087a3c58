import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { ImageExchange } from '@gantry/images/service';
import { cacheImportsOf } from '../cache/cache-options.js';
import { GrpcError, toGrpcError } from '../grpc/grpc-error.js';
import type { ServerCall } from '../grpc/grpc-server.js';
import { BuildHistory } from '../jobs/build-history.js';
import type { BuildJob } from '../jobs/build-job.js';
import { BuildJobs } from '../jobs/build-jobs.js';
import type { GatewayReturnRequest, GatewaySolveRequest, RpcStatus } from '../protocol/messages.js';
import { Protocol } from '../protocol/protocol.js';
import type { ConnectionFacts } from './connection-facts.js';
import { refuseFrontend } from './control-service.js';
import { encodeStatus } from './encode-status.js';
import { refuseDefinitions } from './refuse-definitions.js';
import { SolveDockerfile } from './solve-dockerfile.js';
import { definitionOf } from './source-definitions.js';

type Call = ServerCall<ConnectionFacts>;

/** The service moby.buildkit.v1.frontend.LLBBridge, with which a client drives a build itself. */
@injectable()
export class GatewayService {
  constructor(
    @inject(BuildJobs) private readonly jobs: BuildJobs,
    @inject(SolveDockerfile) private readonly dockerfile: SolveDockerfile,
    @inject(ImageExchange.token) private readonly exchange: ImageExchange,
    @inject(BuildHistory) private readonly history: BuildHistory,
  ) {}

  async solve(request: GatewaySolveRequest, call: Call): Promise<object> {
    const job = await this.#job(call);
    refuseDefinitions(request);
    if (request.Frontend === '') throw invalidArgument('Frontend: a build needs a frontend');
    refuseFrontend(request.Frontend, request.FrontendOpt);
    // The caches that the request of the build names are the same.
    cacheImportsOf({
      Cache: { ExportRefDeprecated: '', ImportRefsDeprecated: [], Exports: [], Imports: request.CacheImports },
    });
    if (request.SourcePolicies.length > 0) throw notImplemented('SourcePolicies are not supported by this builder');
    this.history.describe(job, request.Frontend, request.FrontendOpt);
    const { signal, connection } = call;
    const options = { signal, judge: connection.judge };
    const { FrontendOpt: attributes, FrontendInputs: inputs } = request;
    if (attributes.requestid === 'frontend.lint') {
      const { requestid: _asked, ...rest } = attributes;
      return { result: { metadata: await this.dockerfile.check(job, { attributes: rest, inputs }, signal) } };
    }
    const id = await this.dockerfile.solve(job, { attributes, inputs }, options);
    const imageId = job.result(id)?.imageId ?? '';
    return {
      result: { ref: { id, def: definitionOf(imageId, await Protocol.load()) }, metadata: this.#metadata(imageId) },
    };
  }

  /** The client's build function is complete. */
  async return({ result, error }: GatewayReturnRequest, call: Call): Promise<object> {
    const job = await this.#job(call);
    if (error !== null && error.code !== 0) job.fail(await returnedError(error));
    else {
      try {
        job.complete(job.result(result?.ref?.id ?? result?.refDeprecated ?? ''));
      } catch (cause) {
        job.fail(toGrpcError(cause));
        throw cause;
      }
    }
    return {};
  }

  /** A result is complete before the client learns its name. */
  async evaluate({ Ref }: { readonly Ref: string }, call: Call): Promise<object> {
    (await this.#job(call)).result(Ref);
    return {};
  }

  /** Waits until the build is there: clients send its first call together with its Solve. */
  async ping(call: Call): Promise<void> {
    await this.#job(call);
  }

  /** The image's configuration, which clients pass on with a result that is the context of another build. */
  #metadata(imageId: string): Readonly<Record<string, Buffer>> {
    return { 'containerimage.config': Buffer.from(this.exchange.content(imageId).configuration) };
  }

  #job({ headers, signal }: Call): Promise<BuildJob> {
    const ref = headers['buildkit-controlapi-buildid'];
    if (typeof ref !== 'string' || ref === '') throw invalidArgument('the call names no build');
    return this.jobs.get(ref, { signal });
  }
}

/** The error of a client's build function: often that of a call, whose details the client gets back. */
async function returnedError(error: RpcStatus): Promise<GrpcError> {
  const status = error.details.length === 0 ? undefined : encodeStatus(await Protocol.load(), error);
  return new GrpcError(error.code, error.message, status === undefined ? {} : { status });
}
