import { ApiError } from './api-error';

/** Reads a body to its end; a connection that breaks is an {@link ApiError}, an abort stays one. */
export async function readChunks(response: Response, receive: (chunk: Uint8Array) => void): Promise<void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (error instanceof DOMException) throw error;
      throw new ApiError(0, 'the connection to the engine broke');
    });
    if (done) return;
    receive(value);
  }
}
