import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestTls } from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { proxyFor } from './proxy-for.js';

/** One agent for each proxy keeps tunnels for the next request. */
const tunnels = new Map<string, HttpsProxyAgent<string>>();
const keepAlive = 15_000;

/**
 * Sends a request to an http or https URL, through the proxy that the environment names for it; TLS is with the URL's
 * host in any case. The agent of the options is for direct connections. The caller ends the request.
 * @throws EngineError `invalid-argument` for a variable that names no proxy.
 */
export function sendRequest(
  url: URL,
  options: RequestOptions,
  onResponse?: (response: IncomingMessage) => void,
): ClientRequest {
  const proxy = proxyFor(url);
  if (proxy === undefined) return (url.protocol === 'https:' ? requestTls : requestPlain)(url, options, onResponse);
  if (url.protocol === 'https:') return requestTls(url, { ...options, agent: tunnelTo(proxy) }, onResponse);
  const authorization = authorizationOf(proxy);
  const viaProxy = {
    ...options,
    agent: false as const,
    path: withoutCredentials(url),
    headers: {
      ...options.headers,
      Host: url.host,
      ...(authorization !== undefined && { 'Proxy-Authorization': authorization }),
    },
  };
  return (proxy.protocol === 'https:' ? requestTls : requestPlain)(new URL(proxy.origin), viaProxy, onResponse);
}

function tunnelTo(proxy: URL): HttpsProxyAgent<string> {
  const known = tunnels.get(proxy.href) ?? new HttpsProxyAgent(proxy.href, { keepAlive: true, timeout: keepAlive });
  tunnels.set(proxy.href, known);
  return known;
}

function withoutCredentials(url: URL): string {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  target.hash = '';
  return target.href;
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
