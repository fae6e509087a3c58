import { invalidArgument } from '@gantry/core/errors';
import {
  acceptWebSocket,
  type Context,
  hijack,
  openBody,
  type Query,
  queryOf,
  type Router,
  type StatusExceptions,
} from '@gantry/core/http';
import { parseDetachKeys } from '@gantry/core/streams';
import { type LogRequest, readLogs } from '../logs/read-logs.js';
import type { Parts } from '../parts.js';
import { type AttachRequest, attach } from '../streams/attach.js';
import { writeAll } from '../streams/write-all.js';

const rawStream = 'application/vnd.engine.raw-stream';
const serverError = { unavailable: 500, 'not-implemented': 500 } as const satisfies StatusExceptions;

/** Spec: GET logs, POST attach, GET attach/ws. */
export function streamRoutes(router: Router, parts: Parts): void {
  router
    .get('/containers/:id/logs', async (ctx) => {
      const { record } = parts.store.get(ctx.params.id);
      const request = parseLogs(queryOf(ctx), ctx.state.signal);
      const followed = readLogs(parts, record, request);
      if (request.follow) ctx.state.endless();
      // The beginning is waited for, so that a log that cannot be read is answered with the reason.
      const log = request.follow ? followed : await begun(followed);
      const sink =
        ctx.state.upgrade?.protocol === 'tcp'
          ? (await hijack(ctx, { contentType: rawStream })).socket.resume()
          : openBody(ctx, { contentType: rawStream });
      await writeAll(log, sink, ctx.state.signal);
    })
    .errors(serverError);

  router
    .post('/containers/:id/attach', async (ctx) => {
      const request = { ...parseAttach(queryOf(ctx)), raw: false };
      await attach(parts, ctx.params.id, request, async () => ({
        socket: (await hijack(ctx, { contentType: rawStream })).socket,
        signal: ctx.state.signal,
      }));
    })
    .errors(serverError);

  router
    .get('/containers/:id/attach/ws', async (ctx) => {
      const request = { ...parseAttach(queryOf(ctx)), raw: true };
      await attach(parts, ctx.params.id, request, async () => ({
        socket: (await acceptWebSocket(ctx)).socket,
        signal: ctx.state.signal,
      }));
    })
    .errors(serverError);
}

/** Resolves when the first part is there, or there is none. */
async function begun<T>(source: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const parts = source[Symbol.asyncIterator]();
  const first = await parts.next();
  return (async function* () {
    try {
      for (let part = first; part.done !== true; part = await parts.next()) yield part.value;
    } finally {
      await parts.return?.();
    }
  })();
}

function parseLogs(query: Query, signal: Context['state']['signal']): LogRequest {
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
