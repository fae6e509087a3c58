import { inject, injectable } from '@gantry/core/driver';
import { capabilities, worker } from './builder-facts.js';
import type { Method } from './grpc/grpc-server.js';
import { type Libraries, SessionConnections } from './sessions/session-connections.js';
import type { ConnectionFacts } from './solve/connection-facts.js';
import { ControlService } from './solve/control-service.js';
import { GatewayService } from './solve/gateway-service.js';

type Handle = Extract<Method<ConnectionFacts>, { handle: unknown }>['handle'];
type MethodRow = readonly [path: string, request: string, response: string, handle: Handle];

const control = 'moby.buildkit.v1.';
const gateway = 'moby.buildkit.v1.frontend.';
const traces = 'opentelemetry.proto.collector.trace.v1.';

/** The methods that clients call. */
@injectable()
export class Services {
  constructor(
    @inject(ControlService) private readonly control: ControlService,
    @inject(GatewayService) private readonly gateway: GatewayService,
    @inject(SessionConnections) private readonly sessions: SessionConnections,
  ) {}

  methods(libraries: Libraries): ReadonlyMap<string, Method<ConnectionFacts>> {
    const { protocol } = libraries;
    const bytes = protocol.type(`${control}BytesMessage`);
    const session: Method<ConnectionFacts> = {
      request: bytes,
      response: bytes,
      exchange: (messages, { headers }) => this.sessions.tunnel(messages, headers, libraries),
    };
    const methods = new Map<string, Method<ConnectionFacts>>(
      this.#rows().map(([path, request, response, handle]) => [
        path,
        { request: protocol.type(request), response: protocol.type(response), handle },
      ]),
    );
    // How bake shares one session among its targets.
    methods.set(`/${control}Control/Session`, session);
    return methods;
  }

  #rows(): readonly MethodRow[] {
    return [
      [
        `/${control}Control/Solve`,
        `${control}SolveRequest`,
        `${control}SolveResponse`,
        (message, call) => this.control.solve(message, call),
      ],
      [
        `/${control}Control/Status`,
        `${control}StatusRequest`,
        `${control}StatusResponse`,
        (message, call) => this.control.status(message, call),
      ],
      [
        `/${control}Control/ListWorkers`,
        `${control}ListWorkersRequest`,
        `${control}ListWorkersResponse`,
        async () => ({ record: [worker] }),
      ],
      [
        `/${control}Control/Info`,
        `${control}InfoRequest`,
        `${control}InfoResponse`,
        async () => ({ buildkitVersion: { package: '@gantry/buildkit', version: '', revision: '' } }),
      ],
      // The cache of builds are images, which the prune of images removes.
      [
        `/${control}Control/DiskUsage`,
        `${control}DiskUsageRequest`,
        `${control}DiskUsageResponse`,
        async () => ({ record: [] }),
      ],
      [`/${control}Control/Prune`, `${control}PruneRequest`, `${control}UsageRecord`, () => nothing()],
      [
        `/${gateway}LLBBridge/Ping`,
        `${gateway}PingRequest`,
        `${gateway}PongResponse`,
        async (_message, call) => {
          await this.gateway.ping(call);
          return { FrontendAPICaps: capabilities, LLBCaps: [], Workers: [worker] };
        },
      ],
      [
        `/${gateway}LLBBridge/Solve`,
        `${gateway}SolveRequest`,
        `${gateway}SolveResponse`,
        (message, call) => this.gateway.solve(message, call),
      ],
      [
        `/${gateway}LLBBridge/Return`,
        `${gateway}ReturnRequest`,
        `${gateway}ReturnResponse`,
        (message, call) => this.gateway.return(message, call),
      ],
      [
        `/${gateway}LLBBridge/Evaluate`,
        `${gateway}EvaluateRequest`,
        `${gateway}EvaluateResponse`,
        (message, call) => this.gateway.evaluate(message, call),
      ],
      // Clients send their own traces along; they are not collected.
      [
        `/${traces}TraceService/Export`,
        `${traces}ExportTraceServiceRequest`,
        `${traces}ExportTraceServiceResponse`,
        async () => ({}),
      ],
    ];
  }
}

async function* nothing(): AsyncGenerator<object> {}
