import { type IncomingMessage, request as startRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { type Context, endToEndHeaders, openBody, rawBody } from '@gantry/core/http';
import { writeAll } from '@gantry/core/streams';
import { EngineApi } from '@gantry/engine-api/service';
import { ConnectedNode } from '../membership/connected-node.js';
import { SwarmMembership } from '../membership/swarm-membership.js';
import { apiPath } from './forwarded-requests.js';

/** What only the leader answers. Joining, leaving, unlocking and forcing a new cluster are of the manager itself. */
const leadersPaths = /^\/(?:(?:nodes|services|tasks|secrets|configs)(?:\/.*)?|swarm|swarm\/update|swarm\/unlockkey)$/;

/** How often a leader is looked for, and the milliseconds between. */
const attempts = 5;
const retryDelay = 200;

/** How often a leader is asked for what only reads, when it ends before it has answered. */
const readAttempts = 3;

/** Of a request that failed because of the lost lead, and of some that failed otherwise. */
const lostLeadStatuses = new Set([409, 500, 503]);

const isRead = ({ method }: Context): boolean => method === 'GET' || method === 'HEAD';

/** Sends requests that only the leader answers to it, when this engine is a manager that does not lead. */
@injectable()
export class ForwardRequests {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(ConnectedNode) private readonly node: ConnectedNode,
  ) {}

  start(): void {
    this.lifetime.add(
      this.api.use('forward', async (ctx, next) => {
        if (!this.#isForwarded(ctx)) return this.#answer(ctx, next);
        ctx.state.statuses = undefined; // an unreachable leader is 503, whatever the route makes of its own errors
        for (let attempt = 1; ; attempt++) {
          const connection = await this.#connect(ctx, attempts);
          if (connection === undefined) return next();
          try {
            return await this.#forward(ctx, connection);
          } catch (error) {
            // The leader may have ended before it has answered. What only reads can be asked of the next one.
            const isLast = !isRead(ctx) || attempt === readAttempts;
            if (isLast || ctx.res.headersSent || ctx.state.signal.aborted) throw error;
          }
        }
      }),
    );
  }

  /**
   * As the leader. When another manager leads before there is an answer, that one is asked for what only reads; of a change
   * it is not known whether it happened.
   */
  async #answer(ctx: Context, next: () => Promise<void>): Promise<void> {
    const { state } = this.membership;
    if (state.status !== 'active' || !this.membership.isOneOfSeveral || !leadersPaths.test(ctx.path)) return next();
    ctx.state.statuses = { ...ctx.state.statuses, unavailable: 503 };
    await next();
    const hasFailed = lostLeadStatuses.has(ctx.status) && ctx.respond !== false && !ctx.res.headersSent;
    if (!hasFailed || !state.session.signal.aborted) return;
    if (!isRead(ctx)) {
      throw unavailable(
        'this manager lost the lead of the swarm before the request was done: look whether it was, and repeat it if not',
      );
    }
    // It has lost the lead a moment before its membership says so.
    for (let attempt = 1; attempt < attempts && !this.#isForwarded(ctx); attempt++) await delay(retryDelay);
    const connection = await this.#connect(ctx, attempts);
    if (connection === undefined)
      throw unavailable('another manager led the swarm while the request was served: repeat it');
    ctx.state.answer = undefined; // of the failure
    await this.#forward(ctx, connection);
  }

  /** Undefined when this manager leads meanwhile. Nothing of the request is sent before the connection is there. */
  async #connect(ctx: Context, attemptsLeft: number): Promise<Duplex | undefined> {
    await this.membership.settled();
    const { link } = this.node;
    if (!this.#isForwarded(ctx)) return undefined;
    try {
      if (link === undefined) throw unavailable('no leader of the swarm can be reached');
      return await link.tunnel(apiPath, null, ctx.state.signal);
    } catch (error) {
      if (attemptsLeft <= 1 || ctx.state.signal.aborted) throw error;
      await delay(retryDelay);
      return this.#connect(ctx, attemptsLeft - 1);
    }
  }

  #isForwarded({ path }: Context): boolean {
    return this.membership.state.status === 'pending' && this.membership.isOneOfSeveral && leadersPaths.test(path);
  }

  async #forward(ctx: Context, connection: Duplex): Promise<void> {
    const { signal } = ctx.state;
    const body = await rawBody(ctx);
    const answer = await ask(ctx, connection, body);
    const type = answer.headers['content-type'];
    if (answer.headers['content-length'] === undefined && answer.statusCode === 200 && ctx.method !== 'HEAD') {
      ctx.state.endless();
      const output = openBody(ctx, { contentType: type ?? 'application/octet-stream' });
      await writeAll(answer, output, signal);
      output.end(); // no handler does: the request has not reached one
      return;
    }
    const content = await buffer(answer).catch((cause: unknown) => {
      throw unavailable('the leader of the swarm ended before it had answered', { cause });
    });
    ctx.status = answer.statusCode ?? 500;
    if (type !== undefined) ctx.set('Content-Type', type);
    if (content.length > 0) ctx.body = content;
  }
}

/** Asks the leader what the client has asked, as the client has written it. */
function ask(ctx: Context, connection: Duplex, body: Buffer): Promise<IncomingMessage> {
  // It may have ended while the body was read. Node's client would wait for its end forever.
  if (connection.destroyed) return Promise.reject(unavailable('the leader of the swarm did not answer'));
  const { 'content-length': _, ...headers } = endToEndHeaders(ctx.req.headers);
  return new Promise((resolve, reject) => {
    const request = startRequest({
      createConnection: () => connection,
      method: ctx.method,
      path: ctx.originalUrl,
      headers: {
        ...headers,
        host: 'leader',
        connection: 'close',
        ...(body.length > 0 && { 'content-length': body.length }),
      },
      signal: ctx.state.signal,
    });
    request.once('response', resolve);
    request.once('error', (cause) => reject(unavailable('the leader of the swarm did not answer', { cause })));
    request.end(body);
  });
}
