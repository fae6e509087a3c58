import { internal } from '@gantry/core/errors';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import { discard, readText } from '../transport/read-body.js';
import { RegistryError, toRegistryError } from '../transport/registry-error.js';
import type { OpenBody } from '../transport/send.js';

/** Sends one request, following redirects, to whatever host the URL names. */
export type SendTo = (request: {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | OpenBody;
}) => Promise<import('node:http').IncomingMessage>;

interface TokenRequest {
  readonly realm: URL;
  readonly service: string | undefined;
  readonly scopes: readonly string[];
  readonly credentials: RegistryCredentials | undefined;
  /** Ask for an identity token besides. */
  readonly offline?: boolean;
}

export interface AccessToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  readonly identityToken: string | undefined;
}

const clientId = 'gantry';
const answerLimit = 1024 * 1024;
/** Tokens that do not say how long they live do so for a minute; a moment is taken off for the way. */
const shortest = 60;
const margin = 10;

/** Gets a token: with an identity token by POST, else by GET, and by POST where a server takes nothing else. */
export async function fetchToken(request: TokenRequest, send: SendTo): Promise<AccessToken> {
  if (request.credentials?.identityToken !== undefined) return byPost(request, send);
  try {
    return await byGet(request, send);
  } catch (error) {
    const other = error instanceof RegistryError && [404, 405].includes(error.status);
    if (!other || request.credentials?.username === undefined) throw error;
    return byPost(request, send);
  }
}

async function byGet({ realm, service, scopes, credentials, offline }: TokenRequest, send: SendTo) {
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set('service', service);
  for (const scope of scopes) url.searchParams.append('scope', scope);
  const { username, password = '' } = credentials ?? {};
  if (username !== undefined) url.searchParams.set('account', username);
  if (offline === true) {
    url.searchParams.set('offline_token', 'true');
    url.searchParams.set('client_id', clientId);
  }
  const headers = { ...(username !== undefined && { Authorization: basic(username, password) }) };
  return parse(await send({ method: 'GET', url, headers }));
}

async function byPost({ realm, service, scopes, credentials, offline }: TokenRequest, send: SendTo) {
  const { identityToken, username = '', password = '' } = credentials ?? {};
  const form = new URLSearchParams({
    client_id: clientId,
    ...(service !== undefined && { service }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(identityToken === undefined
      ? { grant_type: 'password', username, password }
      : { grant_type: 'refresh_token', refresh_token: identityToken }),
    ...(offline === true && { access_type: 'offline' }),
  });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return parse(await send({ method: 'POST', url: realm, headers, body: Buffer.from(form.toString()) }));
}

async function parse(response: Awaited<ReturnType<SendTo>>): Promise<AccessToken> {
  if (response.statusCode !== 200) {
    if (response.statusCode === undefined) await discard(response);
    throw await toRegistryError(response);
  }
  const answer: unknown = await readText(response, answerLimit).then((text) => JSON.parse(text));
  const { token, access_token, refresh_token, expires_in } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const value = token ?? access_token;
  if (typeof value !== 'string' || value === '' || /[\r\n]/.test(value)) {
    throw internal('the authorization server did not include a token in the response');
  }
  const seconds = Math.max(shortest, typeof expires_in === 'number' ? expires_in : shortest);
  return {
    token: value,
    expires: Date.now() + (seconds - margin) * 1000,
    identityToken: typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : undefined,
  };
}

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
