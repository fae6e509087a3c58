import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Static, TSchema } from '@sinclair/typebox';
import { withDeadline } from '../../concurrency/deadline.js';
import { invalidArgument, messageOf } from '../../errors/engine-error.js';
import type { Context } from '../exchange/context.js';
import type { Exchange } from '../exchange/exchange.js';
import { bodyTimeout, bodyTooLarge } from '../parsing/body-limits.js';
import { checkShape } from '../parsing/check-shape.js';
import { decode } from '../parsing/decode.js';
import { BodyStream } from './body-stream.js';
import { readUpgradeBody } from './read-upgrade-body.js';

/**
 * The body in one piece, exactly as the client sent it, or as a hook replaced it. Read once: every caller gets the
 * same bytes, so an authorization hook judges what the handler sees.
 * @throws EngineError `invalid-argument` when it is larger than the surface's limit, or does not arrive in time.
 */
export function rawBody<P>(ctx: Context<P>): Promise<Buffer> {
  const { state } = ctx;
  state.body ??= readWhole(state);
  return state.body;
}

/**
 * The body as a stream, of any length: for archives. The caller reads it to its end, once, or destroys it. Nothing else
 * refers to the memory of its chunks.
 */
export function bodyStream<P>(ctx: Context<P>): Readable {
  const { state } = ctx;
  if (state.bodyStream) return state.bodyStream;
  if (!state.body && !state.upgrade) {
    const onTimeout = () => {
      state.response.shouldKeepAlive = false;
    };
    return new BodyStream(ctx.req, { idle: state.limits.idle, onTimeout });
  }
  const whole = rawBody(ctx);
  return Readable.from(
    (async function* () {
      yield Buffer.from(await whole);
    })(),
    { objectMode: false },
  );
}

/** Puts another body in place of the client's, for the hooks and the handler further in. A stream's chunks are theirs. */
export function replaceBody<P>(ctx: Context<P>, body: Buffer | Readable): void {
  const { state } = ctx;
  if (Buffer.isBuffer(body)) {
    state.body = Promise.resolve(body);
    state.bodyStream = undefined;
  } else {
    state.body = undefined;
    state.bodyStream = body;
  }
}

/**
 * Reads a JSON body and decodes it with a schema; see `decode`. The Content-Type must be `application/json`.
 * @throws EngineError `invalid-argument` saying what is wrong with it; an empty body is wrong, too.
 */
export async function readJson<S extends TSchema, P>(ctx: Context<P>, schema: S): Promise<Static<S>> {
  const body = await readOptionalJson(ctx, schema);
  if (body === undefined) throw invalidArgument('the body of the request is empty');
  return body;
}

/** The same where the body may be left out: undefined when it is empty. */
export async function readOptionalJson<S extends TSchema, P>(
  ctx: Context<P>,
  schema: S,
): Promise<Static<S> | undefined> {
  const bytes = await rawBody(ctx);
  if (bytes.length === 0) return undefined;
  const type = ctx.req.headers['content-type'] ?? '';
  if (!/^\s*application\/json\s*(;|$)/i.test(type)) {
    throw invalidArgument(`Content-Type specified (${type}) must be 'application/json'`);
  }
  return decode(schema, parseJson(bytes, ctx.state.limits.values), 'the body of the request');
}

/** What a client of an older version means by a decoded body, as a body of the newest. @throws EngineError. */
export function adaptBody<T, P>(ctx: Context<P>, body: T): T {
  const adapt = ctx.state.adaptation?.body;
  return adapt === undefined ? body : (adapt(body) as T);
}

function parseJson(bytes: Buffer, maxValues: number): unknown {
  checkShape(bytes, maxValues);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw invalidArgument(`the body of the request is not JSON: ${messageOf(cause)}`, { cause });
  }
}

async function readWhole(state: Exchange): Promise<Buffer> {
  try {
    const { time } = state.limits;
    if (time === 0) return await readParts(state);
    return await withDeadline({ milliseconds: time, error: () => bodyTimeout(time) }, () => readParts(state));
  } catch (error) {
    // What is left of the body is not worth reading: the connection ends behind the answer.
    state.response.shouldKeepAlive = false;
    throw error;
  }
}

function readParts(state: Exchange): Promise<Buffer> {
  const { request, upgrade, bodyLimit } = state;
  if (state.bodyStream) return collect(state.bodyStream, bodyLimit);
  if (upgrade) return readUpgradeBody(state.connection.socket, upgrade.head, request.headers, bodyLimit);
  return readRequest(request, bodyLimit);
}

const nothing = Buffer.alloc(0);

async function readRequest(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { headers } = request;
  const length = headers['content-length'];
  if (length === undefined && headers['transfer-encoding'] === undefined) return nothing;
  if (Number(length) > limit) throw bodyTooLarge(limit);
  return collect(request, limit);
}

/** Listeners instead of iteration: leaving a loop would destroy the request, and with it the way to answer. */
function collect(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let total = 0;
    const take = (part: Buffer) => {
      total += part.length;
      parts.push(part);
      if (total > limit) leave(() => reject(bodyTooLarge(limit)));
    };
    const end = () => leave(() => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    const fail = () => leave(() => reject(invalidArgument('the body of the request ended early')));
    const leave = (outcome: () => void) => {
      stream.off('data', take).off('end', end).off('error', fail).off('close', fail);
      outcome();
    };
    stream.on('data', take).on('end', end).on('error', fail).on('close', fail);
  });
}
