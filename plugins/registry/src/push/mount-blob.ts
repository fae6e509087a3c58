import { pathOf, pullScope, pushScope, type Repository } from '../remote/repository.js';
import type { RegistrySession } from '../remote/session.js';
import { discard } from '../transport/read-body.js';
import { RegistryError } from '../transport/registry-error.js';
import { locationOf } from './upload.js';

/**
 * Takes a blob from another repository of the same registry. Resolves to undefined when that worked; else to the
 * upload the registry opened instead, or to null when it opened none.
 */
export async function mountBlob(
  session: RegistrySession,
  repository: Repository,
  digest: string,
  from: string,
  signal: AbortSignal,
): Promise<URL | undefined | null> {
  const source: Repository = { registry: repository.registry, path: from };
  try {
    const response = await session.request({
      method: 'POST',
      path: `${pathOf(repository, 'blobs/uploads/')}?mount=${encodeURIComponent(digest)}&from=${encodeURIComponent(from)}`,
      scopes: [...pushScope(repository), ...pullScope(source)],
      headers: { 'Content-Length': '0' },
      expect: [201, 202],
      signal,
    });
    await discard(response);
    return response.statusCode === 201 ? undefined : locationOf(response, await session.base(signal));
  } catch (error) {
    // Whether that repository may be read is no matter of this push.
    if (!(error instanceof RegistryError)) throw error;
    return null;
  }
}
