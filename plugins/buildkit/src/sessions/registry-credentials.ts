import type { FindCredentials } from '@gantry/build/service';
import { parseReference } from '@gantry/images/service';
import type { RegistryTarget } from '@gantry/registry/service';
import type { ClientSession } from './client-session.js';

type Credentials = NonNullable<RegistryTarget['credentials']>;

/** Clients know the registry of Docker by another name than references. */
const hostForClient = (registry: string): string => (registry === 'docker.io' ? 'registry-1.docker.io' : registry);
const hostForEngine = (registry: string): string => (registry === 'docker.io' ? 'index.docker.io' : registry);

/** Asks the client for credentials when an image is to be pulled. */
export function credentialsOf(session: ClientSession, signal: AbortSignal): FindCredentials {
  return async (reference) => {
    const found = await credentialsFor(session, reference, signal);
    return found === undefined ? new Map() : new Map([[hostForEngine(registryOf(reference)), found]]);
  };
}

/** A name at its registry, with the credentials that the client has for it. */
export async function targetFor(
  session: ClientSession,
  reference: string,
  signal: AbortSignal,
): Promise<RegistryTarget> {
  const credentials = await credentialsFor(session, reference, signal);
  return { reference, ...(credentials !== undefined && { credentials }) };
}

async function credentialsFor(
  session: ClientSession,
  reference: string,
  signal: AbortSignal,
): Promise<Credentials | undefined> {
  const found = await session.credentials(hostForClient(registryOf(reference)), { signal });
  if (found === undefined) return undefined;
  const { username, secret } = found;
  // Without a name the secret is a token.
  return username === '' ? { identityToken: secret } : { username, password: secret };
}

function registryOf(reference: string): string {
  const [first = '', ...rest] = parseReference(reference).repository.split('/');
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : 'docker.io';
}
