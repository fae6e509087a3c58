import { internal, invalidArgument } from '@gantry/core/errors';
import { discard, readBody } from '../transport/read-body.js';
import { acceptedManifests, digestOf, isDigest } from './manifest.js';
import { pathOf, pullScope, pushScope, type Repository } from './repository.js';
import type { RegistrySession } from './session.js';

interface FetchedManifest {
  readonly digest: string;
  readonly mediaType: string | undefined;
  readonly bytes: Buffer;
}

/** Larger ones are refused: they are read into memory whole. */
const manifestLimit = 4 * 2 ** 20;

/** Gets a manifest by tag or digest, which it is checked against. */
export async function fetchManifest(
  session: RegistrySession,
  repository: Repository,
  tagOrDigest: string,
  signal: AbortSignal | undefined,
): Promise<FetchedManifest> {
  if (tagOrDigest.includes(':') && !isDigest(tagOrDigest)) {
    throw invalidArgument(`unsupported digest ${tagOrDigest}: only sha256 can be checked`);
  }
  const response = await session.request({
    method: 'GET',
    path: pathOf(repository, `manifests/${tagOrDigest}`),
    scopes: pullScope(repository),
    headers: { Accept: acceptedManifests },
    expect: [200],
    signal,
  });
  const bytes = await readBody(response, manifestLimit);
  const digest = digestOf(bytes);
  const promised = tagOrDigest.includes(':') ? tagOrDigest : response.headers['docker-content-digest'];
  if (typeof promised === 'string' && promised.startsWith('sha256:') && promised !== digest) {
    throw internal(`manifest verification failed for digest ${promised}: its content is ${digest}`);
  }
  return { digest, mediaType: response.headers['content-type'], bytes };
}

/** Stores a manifest under a tag or its digest, when all its blobs are there. @returns the digest of its bytes. */
export async function pushManifest(
  session: RegistrySession,
  repository: Repository,
  tagOrDigest: string,
  manifest: { readonly bytes: Buffer; readonly mediaType: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  const response = await session.request({
    method: 'PUT',
    path: pathOf(repository, `manifests/${tagOrDigest}`),
    scopes: pushScope(repository),
    headers: { 'Content-Type': manifest.mediaType },
    body: manifest.bytes,
    expect: [200, 201, 202],
    signal,
  });
  await discard(response);
  return digestOf(manifest.bytes);
}
