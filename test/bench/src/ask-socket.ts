import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

interface Call {
  readonly socket: string;
  readonly method: string;
  /** With the version. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  /** Milliseconds in which nothing comes, after which it rejects. */
  readonly timeout?: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Resolves to the whole answer of an engine, whatever it is. */
export async function askSocket({ body, method, path, socket, timeout }: Call): Promise<Answer> {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const sent = request({ socketPath: socket, method, path, headers, ...(timeout !== undefined && { timeout }) });
  if (timeout !== undefined) sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path}`)));
  // Also while the answer is read, whose stream then fails as well.
  sent.on('error', () => undefined);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await text(response) };
}
