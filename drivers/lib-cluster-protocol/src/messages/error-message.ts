import { isRecord } from '@gantry/core/driver';
import { EngineError, type ErrorKind, kindOf, messageOf, unavailable } from '@gantry/core/errors';

/** An error as it crosses a connection. */
export const toErrorMessage = (error: unknown): string =>
  JSON.stringify({ kind: kindOf(error), message: messageOf(error) });

/** The error that a message stands for. */
export function parseErrorMessage(text: string): EngineError {
  try {
    const message: unknown = JSON.parse(text);
    if (isRecord(message) && typeof message.kind === 'string' && typeof message.message === 'string') {
      return new EngineError(message.kind as ErrorKind, message.message);
    }
  } catch {
    // not one of this protocol's errors
  }
  return unavailable(`the manager answered with an error: ${text.slice(0, 200)}`);
}
