import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { GrpcError, toGrpcError } from '../grpc/grpc-error.js';
import type { ServerCall } from '../grpc/grpc-server.js';
import type { GatewayReturnRequest, GatewaySolveRequest } from '../protocol/messages.js';
import type { BuildJob } from './build-job.js';
import { BuildJobs } from './build-jobs.js';
import type { ConnectionFacts } from './connection-facts.js';
import { refuseFrontend } from './control-service.js';
import { refuseDefinitions } from './refuse-definitions.js';
import { SolveDockerfile } from './solve-dockerfile.js';

type Call = ServerCall<ConnectionFacts>;

/** The service moby.buildkit.v1.frontend.LLBBridge, with which a client drives a build itself. */
@injectable()
export class GatewayService {
  constructor(
    @inject(BuildJobs) private readonly jobs: BuildJobs,
    @inject(SolveDockerfile) private readonly dockerfile: SolveDockerfile,
  ) {}

  async solve(request: GatewaySolveRequest, call: Call): Promise<object> {
    const job = await this.#job(call);
    refuseDefinitions(request);
    if (request.Frontend === '') throw invalidArgument('Frontend: a build needs a frontend');
    refuseFrontend(request.Frontend, request.FrontendOpt);
    if (request.CacheImports.length > 0) {
      throw notImplemented('CacheImports: name the cache in the request of the build');
    }
    if (request.SourcePolicies.length > 0) throw notImplemented('SourcePolicies are not supported by this builder');
    const { signal, connection } = call;
    const id = await this.dockerfile.solve(job, request.FrontendOpt, { signal, judge: connection.judge });
    return { result: { ref: { id }, metadata: {} } };
  }

  /** The client's build function is complete. */
  async return({ result, error }: GatewayReturnRequest, call: Call): Promise<object> {
    const job = await this.#job(call);
    if (error !== null && error.code !== 0) job.fail(new GrpcError(error.code, error.message));
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

  #job({ headers, signal }: Call): Promise<BuildJob> {
    const ref = headers['buildkit-controlapi-buildid'];
    if (typeof ref !== 'string' || ref === '') throw invalidArgument('the call names no build');
    return this.jobs.get(ref, { signal });
  }
}
