import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { PluginAddress } from './plugin-address.js';

const contentType = 'application/vnd.docker.plugins.v1.2+json';

/**
 * Sends one request over a connection of its own: a plugin that serves one connection at a time must not wait for
 * one that nobody uses. Resolves with the head of the answer.
 */
export function send(
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

/** The plugin is not there yet, or was there a moment ago: worth another try. Nothing of the request was heard. */
export const isUnreachable = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED', 'ENXIO'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
