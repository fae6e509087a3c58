import { setTimeout as delay } from 'node:timers/promises';
import { EngineError, type ErrorKind, messageOf } from '@gantry/core/errors';
import type { Assertions } from './test-interface.js';

/** The promise rejects with an EngineError of this kind, and its message matches where the API prints it. */
export async function rejects(
  t: Assertions,
  promise: Promise<unknown>,
  kind: ErrorKind,
  message?: RegExp,
): Promise<EngineError> {
  return refusal(t, await outcome(promise), kind, message);
}

/** The call throws, at once, an EngineError of this kind. */
export function throws(t: Assertions, call: () => unknown, kind: ErrorKind, message?: RegExp): EngineError {
  return refusal(t, attempt(call), kind, message);
}

/** The promise rejects because its signal was aborted. */
export async function aborts(t: Assertions, promise: Promise<unknown>): Promise<void> {
  const { error } = await outcome(promise);
  t.is((error as Error | undefined)?.name, 'AbortError', `expected an AbortError, got: ${messageOf(error)}`);
}

/** Starts the call that often in one go and waits for all. */
export const atOnce = <R>(times: number, call: (index: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => call(index)));

/** Polls a condition every 10 ms. @throws Error naming `what` after `timeout` ms. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeout = 10_000,
): Promise<void> {
  const deadline = Date.now() + timeout;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out after ${timeout} ms waiting until ${what}`);
    await delay(10);
  }
}

type Outcome = { readonly value?: unknown; readonly error?: unknown };

const outcome = (promise: Promise<unknown>): Promise<Outcome> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

function attempt(call: () => unknown): Outcome {
  try {
    return { value: call() };
  } catch (error) {
    return { error };
  }
}

function refusal(t: Assertions, { value, error }: Outcome, kind: ErrorKind, message?: RegExp): EngineError {
  if (error === undefined) throw new Error(`expected a refusal (${kind}), got ${String(value)}`);
  if (!EngineError.is(error)) throw new Error(`expected an EngineError (${kind}), got: ${error}`, { cause: error });
  t.is(error.kind, kind, error.message);
  if (message !== undefined) t.regex(error.message, message);
  return error;
}
