import type { TestEngine } from '@gantry/test-engine';
import { askOperator } from '../operator-client.js';
import { HostedListeners } from '../service.js';
import type { Scope } from '../tokens.js';

export interface AskOptions {
  readonly token?: string | undefined;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of a test engine's hosted API; also works after a restart of the engine. */
export interface HostedClient {
  readonly url: string;
  /** Creates a token, and its user if absent. */
  token(user: string, ...scopes: readonly Scope[]): Promise<string>;
  /** Does not follow redirects. */
  ask(method: string, path: string, options?: AskOptions): Promise<Response>;
}

/** @param scope the scope of tokens that are created without one. */
export function hostedClient(engine: TestEngine, scope: Scope): HostedClient {
  const listeners = () => engine.kernel.service(HostedListeners);
  const urlOf = () => `http://${listeners().addresses[0]}`;
  return {
    get url() {
      return urlOf();
    },
    async token(user, ...scopes) {
      const asked = { user, scopes: scopes.length === 0 ? [scope] : scopes };
      const made = await askOperator(listeners().operatorSocket, 'POST', '/tokens', asked);
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
