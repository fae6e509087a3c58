import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Daemon } from '@gantry/test-nodes';

/** Asks the daemon by the API of today. @returns the status and the body. */
export function askNewest(
  { socket }: Pick<Daemon, 'socket'>,
  method: string,
  target: string,
  body?: unknown,
): Promise<[number, string]> {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const options = { socketPath: socket, method, path: `/v1.51${target}`, agent: false, headers };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      text(response).then((all) => resolve([response.statusCode ?? 0, all]), reject);
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
