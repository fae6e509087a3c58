import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Daemon } from '@gantry/test-nodes';

/** Asks the daemon by the API of 1.24, without a client library, and demands success. */
export async function ask({ socket }: Daemon, method: string, path: string): Promise<string> {
  const sent = request({ socketPath: socket, method, path: `/v1.24${path}`, agent: false }).end();
  const [status, body] = await new Promise<[number, string]>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      text(response).then((all) => resolve([response.statusCode ?? 0, all]), reject);
    });
  });
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${body}`);
  return body;
}
