import { acceptWebSocket, hijack, type Query, queryOf, type Router, statuses } from '@gantry/core/http';
import { parseDetachKeys } from '@gantry/core/streams';
import type { Parts } from '../parts.js';
import { type AttachRequest, attach } from '../streams/attach.js';

const rawStream = 'application/vnd.engine.raw-stream';

/** Spec: POST attach, GET attach/ws. */
export function streamRoutes(router: Router, parts: Parts): void {
  router.post('/containers/:id/attach', statuses.unavailableIsServerError, async (ctx) => {
    const request = { ...parseAttach(queryOf(ctx)), raw: false };
    await attach(parts, ctx.params.id, request, async () => ({
      socket: (await hijack(ctx, { contentType: rawStream })).socket,
      signal: ctx.state.signal,
    }));
  });

  router.get('/containers/:id/attach/ws', statuses.unavailableIsServerError, async (ctx) => {
    const request = { ...parseAttach(queryOf(ctx)), raw: true };
    await attach(parts, ctx.params.id, request, async () => ({
      socket: (await acceptWebSocket(ctx)).socket,
      signal: ctx.state.signal,
    }));
  });
}

function parseAttach(query: Query): Omit<AttachRequest, 'raw'> {
  return {
    logs: query.boolean('logs'),
    stream: query.boolean('stream'),
    stdin: query.boolean('stdin'),
    stdout: query.boolean('stdout'),
    stderr: query.boolean('stderr'),
    detachKeys: parseDetachKeys(query.string('detachKeys')),
  };
}
