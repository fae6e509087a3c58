import type { TestEngine } from '@gantry/test-engine';
import { askOperator } from '../operator-client.js';
import { HostedApi } from '../service.js';
import type { Scope } from '../tokens.js';

export interface AskOptions {
  readonly token?: string | undefined;
  /** Sent as it is when it is a text, as JSON otherwise. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Talks to the surface of an engine that a test started, also after a restart. */
export interface HostedClient {
  readonly url: string;
  /** Makes a token, and its user when absent. */
  token(user: string, ...scopes: readonly Scope[]): Promise<string>;
  /** Follows no redirections. */
  ask(method: string, path: string, options?: AskOptions): Promise<Response>;
}

/** Tokens have `scope` where nothing else is asked for. */
export function hostedClient(engine: TestEngine, scope: Scope): HostedClient {
  const api = () => engine.kernel.service(HostedApi);
  const urlOf = () => `http://${api().addresses[0]}`;
  return {
    get url() {
      return urlOf();
    },
    async token(user, ...scopes) {
      const asked = { user, scopes: scopes.length === 0 ? [scope] : scopes };
      const made = await askOperator(api().operatorSocket, 'POST', '/tokens', asked);
      return (made as { readonly token: string }).token;
    },
    ask: (method, path, { token, body, headers } = {}) =>
      fetch(`${urlOf()}${path}`, {
        method,
        redirect: 'manual',
        headers: { ...(token !== undefined && { Authorization: `Bearer ${token}` }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
}
