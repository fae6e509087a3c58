import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { PluginAddress } from './plugin-address.js';

const contentType = 'application/vnd.docker.plugins.v1.2+json';

/**
 * Sends one request over a new connection, since an idle one would block a plugin that serves one connection at a time.
 * Resolves with the response head.
 */
export function sendRequest(
  address: PluginAddress,
  method: string,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      method: 'POST',
      path: `/${method}`,
      agent: false,
      signal,
      headers: {
        Accept: contentType,
        'Content-Type': contentType,
        'Content-Length': Buffer.byteLength(body),
        Host: 'plugin',
      },
    };
    const request = open(address, options);
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

function open(address: PluginAddress, options: RequestOptions) {
  if ('socketPath' in address) return httpRequest({ ...options, socketPath: address.socketPath });
  const { host, port, tls } = address;
  if (tls === undefined) return httpRequest({ ...options, host, port });
  const { insecureSkipVerify, ...files } = tls;
  return httpsRequest({ ...options, ...files, host, port, rejectUnauthorized: !insecureSkipVerify });
}

/** Whether the plugin does not listen (yet): it received nothing of the request, so a retry is safe. */
export const isUnreachable = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED', 'ENXIO'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
