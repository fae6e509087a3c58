import { Readable } from 'node:stream';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import {
  type Context,
  hijack,
  openBody,
  type Query,
  queryOf,
  type Router,
  statuses,
  streamType,
} from '@gantry/core/http';
import { writeAll } from '@gantry/core/streams';
import { EngineApi } from '@gantry/engine-api/service';
import { ContainerLogsService } from './container-logs-service.js';
import { KnownContainers } from './known-containers.js';
import { operations } from './operations.js';
import { startReading } from './reading/start-reading.js';
import type { LogRequest } from './service.js';

/** Spec: GET /containers/(id)/logs. */
@injectable()
export class ContainerLogRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(KnownContainers) private readonly containers: KnownContainers,
    @inject(ContainerLogsService) private readonly logs: ContainerLogsService,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('container-logs', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.get('/containers/:id/logs', statuses.unavailableIsServerError, (ctx) => this.#logs(ctx, ctx.params.id));
  }

  async #logs(ctx: Context, reference: string): Promise<void> {
    const { signal } = ctx.state;
    const source = this.containers.source(reference);
    const request = parseLogs(queryOf(ctx), signal);
    const pieces = this.logs.read(source, request);
    if (request.follow) ctx.state.endless();
    const contentType = streamType(ctx, { raw: source.container.terminal });
    const isUpgraded = ctx.state.upgrade?.protocol === 'tcp';
    // Only followed logs are answered before their first piece: an error of the driver is then still a status.
    const log = request.follow ? pieces : await startReading(pieces);
    if (log instanceof Uint8Array && !isUpgraded) {
      ctx.set('Content-Type', contentType);
      ctx.body = Buffer.from(log.buffer, log.byteOffset, log.byteLength);
      return;
    }
    const sink = isUpgraded ? (await hijack(ctx, { contentType })).socket.resume() : openBody(ctx, { contentType });
    await writeAll(log instanceof Uint8Array ? Readable.from([log]) : log, sink, signal);
  }
}

function parseLogs(query: Query, signal: AbortSignal): LogRequest {
  const stdout = query.boolean('stdout');
  const stderr = query.boolean('stderr');
  if (!stdout && !stderr) throw invalidArgument('Bad parameters: you must choose at least one stream');
  const since = query.timestamp('since');
  const until = query.timestamp('until');
  const tail = /^\d+$/.test(query.string('tail') ?? '') ? Number(query.string('tail')) : undefined;
  return {
    stdout,
    stderr,
    follow: query.boolean('follow'),
    timestamps: query.boolean('timestamps'),
    details: query.boolean('details'),
    signal,
    // Zero is the same as no limit.
    ...(since !== undefined && since !== 0n && { since }),
    ...(until !== undefined && until !== 0n && { until }),
    ...(tail !== undefined && { tail }),
  };
}
