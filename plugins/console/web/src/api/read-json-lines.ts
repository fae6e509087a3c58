import { ApiError } from './api-error';
import { type RequestOptions, send } from './request';

/** Calls `receive` with each JSON value of a response of JSON lines, and resolves at its end. */
export async function readJsonLines<T>(
  path: string,
  options: RequestOptions,
  receive: (value: T) => void,
  connected: () => void = () => {},
): Promise<void> {
  const response = await send(`/api${path}`, options);
  connected();
  let rest = '';
  await readChunks(
    response,
    (() => {
      const decoder = new TextDecoder();
      return (chunk: Uint8Array): void => {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim() !== '') receive(JSON.parse(line) as T);
      };
    })(),
  );
  if (rest.trim() !== '') receive(JSON.parse(rest) as T);
}

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
