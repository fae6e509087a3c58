import { JsonLines } from './json-lines';
import { readChunks } from './read-chunks';
import { type RequestOptions, send } from './request';

/** Calls `receive` with each JSON value that a request is answered with, and resolves at the end. */
export async function readJsonLines<T>(
  path: string,
  options: RequestOptions,
  receive: (value: T) => void,
): Promise<void> {
  const lines = new JsonLines(receive);
  await readChunks(await send(`/api${path}`, options), (chunk) => lines.push(chunk));
  lines.end();
}
