export { type Endpoint, inheritedEndpoints, type LocalEndpoint, type TlsFiles } from '../http/connections/endpoint.js';
export { EngineServer, type ServerLimits } from '../http/connections/engine-server.js';
export { isLoopback, parseWebHost, type WebHostOptions } from '../http/connections/parse-web-host.js';
export type { Adaptation } from '../http/exchange/adaptation.js';
export type { Admission } from '../http/exchange/admission.js';
export type { Context, Handler, Middleware, Params, PathParams } from '../http/exchange/context.js';
export type { HeadListener } from '../http/exchange/engine-response.js';
export type { Exchange, Reviewer, Upgrade } from '../http/exchange/exchange.js';
export {
  type Content,
  content,
  named,
  type Operation,
  type Operations,
  parameter,
} from '../http/exchange/operation.js';
export { type Route, type RouteMark, routeMark } from '../http/exchange/route.js';
export type { StatusExceptions } from '../http/exchange/status-exceptions.js';
export { acceptWebSocket } from '../http/hijacking/accept-web-socket.js';
export { hijack } from '../http/hijacking/hijack.js';
export type { RawConnection } from '../http/hijacking/raw-output.js';
export { streamType } from '../http/hijacking/stream-type.js';
export type { BodyLimits } from '../http/parsing/body-limits.js';
export { decode } from '../http/parsing/decode.js';
export { Filters, invalidFilter } from '../http/parsing/filters.js';
export { PruneFilters } from '../http/parsing/prune-filters.js';
export { type IntegerBounds, Query } from '../http/parsing/query.js';
export { textFilter } from '../http/parsing/text-filter.js';
export { parseDuration, parseTimestamp } from '../http/parsing/timestamp.js';
export { adaptBody, bodyStream, rawBody, readJson, readOptionalJson, replaceBody } from '../http/requests/body.js';
export { endToEndHeaders } from '../http/requests/end-to-end-headers.js';
export { queryOf } from '../http/requests/query-of.js';
export { JsonStream, jsonStream } from '../http/responses/json-stream.js';
export { type BodyHead, openBody } from '../http/responses/open-body.js';
export { progressItem } from '../http/responses/progress-item.js';
export { sendJson } from '../http/responses/send-json.js';
export type { Declare, Router } from '../http/routing/router.js';
export { statuses } from '../http/routing/statuses.js';
export { compareVersions, type VersionRange } from '../http/routing/version.js';
export type { Failure } from '../http/surface/error-responses.js';
export { type Stage, stages } from '../http/surface/hooks.js';
export { Surface, type SurfaceOptions } from '../http/surface/surface.js';
