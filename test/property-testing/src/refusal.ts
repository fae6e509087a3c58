/** Whether an error blames the client's input. Without imports, as the core's own tests use it too. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && error.message !== '' && 'kind' in error && error.kind === 'invalid-argument';

/** Calls a parser. Undefined when it refuses its input; any other error fails the property. */
export function refusedOr<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
