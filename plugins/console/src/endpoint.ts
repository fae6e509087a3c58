import { invalidArgument } from '@gantry/core/errors';
import { type Endpoint, parseWebHost } from '@gantry/core/http';
import type { ConsoleConfig } from './config.js';

/** Injects where the console listens. */
export type ConsoleEndpoint = Exclude<Endpoint, { readonly kind: 'fd' }>;
export const ConsoleEndpoint = Symbol('console-endpoint');

/** @throws EngineError `invalid-argument` naming the setting and its value. */
export function readEndpoint({ host, tls, insecureTcp, userHeader }: ConsoleConfig): ConsoleEndpoint {
  const endpoint = parseWebHost(host, { setting: 'host', insecureTcp, ...(tls && { tls }) });
  if (endpoint.kind === 'unix') return { ...endpoint, mode: 0o600 };
  if (userHeader !== undefined) {
    throw invalidArgument(
      `userHeader: anyone who reaches ${host} could send "${userHeader}"; let the proxy connect to unix:///path`,
    );
  }
  if (process.env.GANTRY_ROOTLESS !== undefined) {
    throw invalidArgument(`host: "${host}" could not be reached: a rootless engine listens on Unix sockets only`);
  }
  return endpoint;
}
