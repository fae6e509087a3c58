/** What the engine, or the connection to it, answered instead of a result. */
export class ApiError extends Error {
  /** @param status 0 when there was no answer at all. */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  get isUnreachable(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
