/** Whether an error tells a client what is wrong with what it sent. No import: the core's own tests use this too. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.message !== '' && 'kind' in error && error.kind === 'invalid-argument';

/** Calls a parser: it returns, or refuses, which is undefined. Anything else it throws fails the property. */
export function refusedOr<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
