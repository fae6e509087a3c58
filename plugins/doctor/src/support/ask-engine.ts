import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { unavailable } from '@gantry/core/errors';

/** What the engine's API answers, by a socket that it listens on. */
export async function askEngine(hosts: readonly string[], path: string): Promise<unknown> {
  const socketPath = hosts.find((host) => host.startsWith('unix://'))?.slice('unix://'.length);
  if (socketPath === undefined)
    throw unavailable(`the engine listens on no socket, but on ${hosts.join(', ') || 'nothing'}`);
  const signal = AbortSignal.timeout(10_000);
  const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    get({ socketPath, path, signal }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    }).on('error', reject);
  });
  if (status !== 200) throw unavailable(`${path} answered with ${status}`);
  return JSON.parse(body);
}
