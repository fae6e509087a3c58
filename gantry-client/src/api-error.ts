/** The engine refused a request, or failed. The message is the engine's. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** Of the answer; 200 when a stream that had begun ended with an error. */
    readonly status: number,
    /** Method and path of the request. */
    readonly request: string,
  ) {
    super(message);
  }

  static is(error: unknown, status?: number): error is ApiError {
    return error instanceof ApiError && (status === undefined || error.status === status);
  }
}
