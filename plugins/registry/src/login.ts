import { inject, injectable } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import { Endpoints } from './remote/endpoints.js';
import { noDefault } from './remote/repository.js';
import { headOf } from './remote/session.js';
import { plainError } from './remote/translate.js';
import { RegistryError } from './transport/registry-error.js';
import { retrying } from './transport/retry.js';

interface LoginRequest {
  /** A host, or an address as older clients send it; empty for the default registry. */
  readonly server: string;
  readonly credentials: RegistryCredentials | undefined;
}

/** Checks credentials with a registry. Spec: POST /auth. */
@injectable()
export class Login {
  constructor(@inject(Endpoints) private readonly endpoints: Endpoints) {}

  /** Resolves to the registry's identity token, if it issues one. */
  async login({ server, credentials }: LoginRequest, signal: AbortSignal): Promise<string | undefined> {
    const host = server.replace(/^https?:\/\//, '').replace(/\/.*$/, '') || this.endpoints.defaultRegistry;
    if (host === undefined) throw noDefault('the login');
    const session = this.endpoints.session(host, credentials);
    try {
      const request = { method: 'GET', path: '/v2/', scopes: [], expect: [200], signal };
      await retrying(session.retry, () => headOf(session.once(request, { offline: true })), signal);
    } catch (error) {
      if (!(error instanceof RegistryError)) throw plainError(error);
      const { href } = new URL('/v2/', await session.base(signal));
      if (!error.isRefusal) throw internal(`Get "${href}": ${error.message}`, { cause: error });
      throw internal(`login attempt to ${href} failed with status: ${error.status} ${error.message}`, { cause: error });
    }
    return session.identityToken;
  }
}
