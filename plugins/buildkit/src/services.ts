import { inject, injectable } from '@gantry/core/driver';
import { buildkitVersion, capabilities, worker } from './builder-facts.js';
import type { Method } from './grpc/grpc-server.js';
import { type Libraries, SessionConnections } from './sessions/session-connections.js';
import { CacheRecords } from './solve/cache-records.js';
import type { ConnectionFacts } from './solve/connection-facts.js';
import { ControlService } from './solve/control-service.js';
import { GatewayService } from './solve/gateway-service.js';
import { HistoryService } from './solve/history-service.js';

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
    @inject(CacheRecords) private readonly caches: CacheRecords,
    @inject(HistoryService) private readonly history: HistoryService,
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
      [`/${control}Control/Info`, `${control}InfoRequest`, `${control}InfoResponse`, async () => ({ buildkitVersion })],
      [
        `/${control}Control/DiskUsage`,
        `${control}DiskUsageRequest`,
        `${control}DiskUsageResponse`,
        (message) => this.caches.usage(message),
      ],
      [
        `/${control}Control/Prune`,
        `${control}PruneRequest`,
        `${control}UsageRecord`,
        (message) => this.caches.prune(message),
      ],
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
      [
        `/${control}Control/ListenBuildHistory`,
        `${control}BuildHistoryRequest`,
        `${control}BuildHistoryEvent`,
        (message, call) => this.history.listen(message, call),
      ],
      [
        `/${control}Control/UpdateBuildHistory`,
        `${control}UpdateBuildHistoryRequest`,
        `${control}UpdateBuildHistoryResponse`,
        (message) => this.history.update(message),
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
