import type { LogFacts } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import test from 'ava';
import { PostedLogger } from './posted-logger.js';

test('an error that a driver logs in a worker thread keeps type, kind, message, stack and cause', (t) => {
  const posted: LogFacts[] = [];
  const log = new PostedLogger((_, facts) => void posted.push(structuredClone(facts)), { driver: 'log/test' });
  const cause = Object.assign(new TypeError('socket is undefined'), { code: 'ERR_SOCKET' });
  log
    .child({ container: 'c' })
    .warn({ event: 'sink.failed', error: unavailable('cannot connect', { cause }), retry: () => undefined }, 'failed');
  const [facts] = posted;
  t.like(facts, { event: 'sink.failed', driver: 'log/test', container: 'c' });
  t.like(facts?.error, { type: 'EngineError', kind: 'unavailable', message: 'cannot connect' });
  const error = facts?.error as { readonly stack: string; readonly cause: { readonly stack: string } };
  t.regex(error.stack, /posted-logger\.test/);
  t.like(error.cause, { type: 'TypeError', message: 'socket is undefined', code: 'ERR_SOCKET' });
  t.regex(error.cause.stack, /posted-logger\.test/);
});
