import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { acceptWebSocket, hijack, type Query, queryOf, type Router, statuses, streamType } from '@gantry/core/http';
import { parseDetachKeys } from '@gantry/core/streams';
import { EngineApi, worksWithoutDisk } from '@gantry/engine-api/service';
import { ResizeTerminal } from '../lifecycle/resize-terminal.js';
import type { AttachRequest } from '../streams/attach-request.js';
import { AttachToContainer } from '../streams/attach-to-container.js';
import { operations } from './operations.js';

const sizeLimits = { min: 0, max: 65535 };

/** Spec: POST attach, GET attach/ws and POST resize. */
@injectable()
export class StreamRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(AttachToContainer) private readonly attachToContainer: AttachToContainer,
    @inject(ResizeTerminal) private readonly resizeTerminal: ResizeTerminal,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.api.routes('containers', (router) => this.declare(router), operations));
  }

  declare(router: Router): void {
    router.post('/containers/:id/attach', worksWithoutDisk, statuses.unavailableIsServerError, async (ctx) => {
      const request = parseAttach(queryOf(ctx), { raw: false });
      await this.attachToContainer.attach(ctx.params.id, request, async (isTerminal) => ({
        socket: (await hijack(ctx, { contentType: streamType(ctx, { raw: isTerminal }) })).socket,
        signal: ctx.state.signal,
      }));
    });

    router.get('/containers/:id/attach/ws', statuses.unavailableIsServerError, async (ctx) => {
      const request = parseAttach(queryOf(ctx), { raw: true });
      await this.attachToContainer.attach(ctx.params.id, request, async () => ({
        socket: (await acceptWebSocket(ctx)).socket,
        signal: ctx.state.signal,
      }));
    });

    router.post('/containers/:id/resize', worksWithoutDisk, statuses.refusalIsServerError, async (ctx) => {
      const query = queryOf(ctx);
      const size = { height: query.integer('h', sizeLimits) ?? 0, width: query.integer('w', sizeLimits) ?? 0 };
      await this.resizeTerminal.resize(ctx.params.id, size);
      ctx.set('Content-Type', 'text/plain; charset=utf-8');
      ctx.status = 200;
    });
  }
}

const parseAttach = (query: Query, { raw }: { readonly raw: boolean }): AttachRequest => ({
  logs: query.boolean('logs'),
  stream: query.boolean('stream'),
  stdin: query.boolean('stdin'),
  stdout: query.boolean('stdout'),
  stderr: query.boolean('stderr'),
  detachKeys: query.string('detachKeys') ? parseDetachKeys(query.string('detachKeys')) : undefined,
  raw,
});
