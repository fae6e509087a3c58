import { internal } from '@gantry/core/errors';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { Challenge } from './challenge.js';
import { type AccessToken, basic, fetchToken, type SendTo } from './token.js';

/** What one client may do at one registry: answers its challenges, and remembers the tokens for it. */
export class Authorizer {
  readonly #tokens = new Map<string, Promise<AccessToken>>();
  #usesBasic = false;
  #identityToken: string | undefined;

  constructor(
    /** Only ever in memory, and gone with the request they came with. */
    private readonly credentials: RegistryCredentials | undefined,
    private readonly send: SendTo,
    /** Whether tokens may be fetched from there. @throws EngineError `internal`. */
    private readonly checkRealm: (realm: URL) => void,
  ) {}

  /** What a token server gave besides a token. */
  get identityToken(): string | undefined {
    return this.#identityToken;
  }

  /** The Authorization header for a request, undefined before the first challenge. */
  async header(scopes: readonly string[]): Promise<string | undefined> {
    const { username, password = '', registryToken } = this.credentials ?? {};
    if (registryToken !== undefined) return `Bearer ${registryToken}`;
    if (this.#usesBasic && username !== undefined) return basic(username, password);
    const token = await this.#tokens.get(scopes.join(' '))?.catch(() => undefined);
    return token === undefined || token.expires < Date.now() ? undefined : `Bearer ${token.token}`;
  }

  /**
   * Answers a challenge that `rejected`, the header sent, did not satisfy. Resolves to whether another try makes
   * sense. Rejects when the token server refuses.
   */
  async answer(
    challenges: readonly Challenge[],
    scopes: readonly string[],
    rejected: string | undefined,
    options: { readonly offline?: boolean } = {},
  ): Promise<boolean> {
    const { credentials } = this;
    if (credentials?.registryToken !== undefined) return false;
    const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
    if (bearer !== undefined) return this.#takeToken(bearer, scopes, rejected, options.offline === true);
    const isBasic = challenges.some(({ scheme }) => scheme === 'basic');
    if (!isBasic || credentials?.username === undefined || rejected !== undefined) return false;
    this.#usesBasic = true;
    return true;
  }

  async #takeToken(
    challenge: Challenge,
    scopes: readonly string[],
    rejected: string | undefined,
    offline: boolean,
  ): Promise<boolean> {
    const realm = realmOf(challenge);
    this.checkRealm(realm);
    const key = scopes.join(' ');
    // A concurrent request may have got one meanwhile.
    const current = await this.#tokens.get(key)?.catch(() => undefined);
    if (current !== undefined && current.expires > Date.now() && `Bearer ${current.token}` !== rejected) return true;
    const asked = challenge.parameters.get('scope')?.split(' ') ?? [];
    const fetching = fetchToken(
      {
        realm,
        service: challenge.parameters.get('service'),
        scopes: [...new Set([...scopes, ...asked])],
        credentials: this.credentials,
        offline,
      },
      this.send,
    );
    this.#tokens.set(key, fetching);
    const token = await fetching;
    this.#identityToken = token.identityToken ?? this.#identityToken;
    return true;
  }
}

function realmOf(challenge: Challenge): URL {
  const realm = challenge.parameters.get('realm') ?? '';
  const url = URL.canParse(realm) ? new URL(realm) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw internal(`the registry's token realm ${JSON.stringify(realm)} is not an HTTP address`);
  }
  return url;
}
