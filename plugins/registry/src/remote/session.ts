import type { IncomingMessage } from 'node:http';
import { internal } from '@gantry/core/errors';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import { Authorizer } from '../auth/authorizer.js';
import { parseChallenges } from '../auth/challenge.js';
import { discard } from '../transport/read-body.js';
import { ConnectionError, toRegistryError } from '../transport/registry-error.js';
import type { RetryPolicy } from '../transport/retry.js';
import type { OpenBody } from '../transport/send.js';
import type { RegistryTransport } from './registry-transport.js';

interface RegistryRequest {
  readonly method: string;
  /** Below the registry's address, or what the registry itself gave. */
  readonly path: string | URL;
  readonly scopes: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | OpenBody;
  /** Statuses that are no failure. */
  readonly expect: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** What one client does at one registry, or at a mirror of one. */
export class RegistrySession {
  readonly #authorizer: Authorizer;

  constructor(
    /** `host[:port]`, or the URL of a mirror. */
    readonly registry: string,
    credentials: RegistryCredentials | undefined,
    private readonly transport: RegistryTransport,
  ) {
    this.#authorizer = new Authorizer(
      credentials,
      (request) => transport.retrying(() => transport.send(request), undefined),
      (realm) => this.#checkRealm(realm),
    );
  }

  /** How its requests are tried again. */
  get retry(): RetryPolicy {
    return this.transport.retry;
  }

  /** Of a login, when the registry's token server gives such. */
  get identityToken(): string | undefined {
    return this.#authorizer.identityToken;
  }

  /** The registry's own address. Rejects ConnectionError when nothing answers. */
  base(signal?: AbortSignal): Promise<URL> {
    return this.transport.base(this.registry, signal);
  }

  /** The same as `once`, again after failures that pass. */
  request(request: RegistryRequest): Promise<IncomingMessage> {
    return this.transport.retrying(() => this.once(request), request.signal);
  }

  /**
   * Sends a request with what credentials it takes. Resolves to an answer of an expected status, whose body the caller
   * consumes. Rejects RegistryError, ConnectionError, or AbortError.
   */
  async once(request: RegistryRequest, options: { readonly offline?: boolean } = {}): Promise<IncomingMessage> {
    const { method, scopes, body, signal } = request;
    const base = await this.base(signal);
    const url = new URL(request.path, base);
    const isOwn = url.origin === base.origin;
    for (let round = 0; ; round += 1) {
      const authorization = isOwn ? await this.#authorizer.header(scopes) : undefined;
      const headers = {
        ...request.headers,
        ...(authorization !== undefined && { Authorization: authorization }),
      };
      const response = await this.transport
        .send({ method, url, headers, ...(body !== undefined && { body }), ...(signal !== undefined && { signal }) })
        .catch((error: unknown) => {
          if (error instanceof ConnectionError) this.transport.forget(this.registry);
          throw error;
        });
      if (request.expect.includes(response.statusCode ?? 0)) return response;
      const challenges = parseChallenges(response.headers['www-authenticate']);
      if (response.statusCode !== 401 || !isOwn || round === 2 || challenges.length === 0) {
        throw await toRegistryError(response);
      }
      const refusal = await toRegistryError(response);
      if (!(await this.#authorizer.answer(challenges, scopes, authorization, options))) throw refusal;
    }
  }

  /** Gives up an upload the registry opened. That failing is the registry's matter: it ends idle ones itself. */
  async cancel(upload: URL, scopes: readonly string[]): Promise<void> {
    await headOf(this.once({ method: 'DELETE', path: upload, scopes, expect: [202, 204] })).catch(() => undefined);
  }

  #checkRealm(realm: URL): void {
    if (this.transport.isSecure(realm)) return;
    throw internal(`registry ${this.registry} sends to ${realm.origin} for tokens, which is not secure`);
  }
}

/** For an answer that only its head counts of. */
export async function headOf(response: Promise<IncomingMessage>): Promise<IncomingMessage> {
  const answer = await response;
  await discard(answer);
  return answer;
}
