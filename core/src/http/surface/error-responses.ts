import { Readable } from 'node:stream';
import { EngineError, kindOf, messageOf } from '../../errors/engine-error.js';
import type { Logger } from '../../kernel/logging/logger.js';
import type { Context, Middleware } from '../exchange/context.js';
import { statusFor } from '../routing/statuses.js';

/** An error on its way to the client. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly error: unknown;
}

/** How an API shows its errors. */
export interface ErrorFormat {
  /** The JSON body of an error. Default `{ message }`. */
  readonly errorBody: (failure: Failure) => object;
  /** Statuses of errors that only this API has; undefined leaves an error to the one table. */
  readonly errorStatus: (error: unknown) => number | undefined;
}

interface ErrorResponseOptions extends Partial<ErrorFormat> {
  /** In log lines. */
  readonly surface: string;
  readonly log: Logger;
}

const bodyOf = ({ errorBody }: Partial<ErrorFormat>, failure: Failure): object =>
  errorBody?.(failure) ?? { message: failure.message };

export const errorText = (format: Partial<ErrorFormat>, failure: Failure): string =>
  `${JSON.stringify(bodyOf(format, failure))}\n`;

/** Makes a response of what is thrown further in: the status of its kind, and the message as JSON. */
export const errorResponses =
  (options: ErrorResponseOptions): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      respond(ctx, error, options);
    }
  };

function respond(ctx: Context, thrown: unknown, options: ErrorResponseOptions): void {
  const { res, state } = ctx;
  if (ctx.body instanceof Readable) ctx.body.destroy();
  const error = state.aborted && !EngineError.is(thrown) ? state.aborted.reason : thrown;
  const status = statusOf(ctx, error, options);
  log(ctx, { status, error }, options);
  if (state.output?.begun) {
    state.output.fail(error);
    return;
  }
  if (res.headersSent) {
    res.destroy();
    return;
  }
  ctx.status = status;
  state.answer = undefined;
  if (status === 304) return;
  state.answer = bodyOf(options, { status, message: messageOf(error), error });
}

/** What an older version had comes first, then the route's own exceptions, those of the API, and the table. */
const statusOf = ({ state }: Context, error: unknown, { errorStatus }: ErrorResponseOptions): number =>
  state.adaptation?.statuses[kindOf(error)] ??
  state.statuses?.[kindOf(error)] ??
  errorStatus?.(error) ??
  statusFor(error);

function log(ctx: Context, outcome: { status: number; error: unknown }, { surface, log }: ErrorResponseOptions): void {
  const facts = { surface, method: ctx.method, path: ctx.path, ...outcome };
  if (outcome.status === 500 && !ctx.state.aborted) log.error({ event: 'http.failed', ...facts }, 'request failed');
  else log.debug({ event: 'http.refused', ...facts }, 'request refused');
}
