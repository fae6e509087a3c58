import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

const agent = new Agent({ keepAlive: false });

/** Asks an engine over its socket. Rejects with the answer when it is an error. */
export async function ask<T = unknown>(socketPath: string, method: string, path: string, body?: object): Promise<T> {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const asked = request({ socketPath, method, path, headers, agent });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if ((response.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${answer}`);
  return (answer === '' ? undefined : JSON.parse(answer)) as T;
}
