import type { IncomingMessage } from 'node:http';
import { internal } from '@gantry/core/errors';
import { discard } from '../transport/read-body.js';
import { RegistryError } from '../transport/registry-error.js';
import type { Descriptor } from './manifest.js';
import { pathOf, pullScope, type Repository } from './repository.js';
import { headOf, type RegistrySession } from './session.js';

export interface OpenedBlob {
  /** The caller consumes or destroys it. */
  readonly body: IncomingMessage;
  /** Where in the blob it begins: what was asked for, or 0 from a registry that cannot. */
  readonly offset: number;
}

/** Opens a blob from an offset on, after one try. */
export async function openBlob(
  session: RegistrySession,
  repository: Repository,
  { digest, size }: Pick<Descriptor, 'digest' | 'size'>,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<OpenedBlob> {
  const body = await session.once({
    method: 'GET',
    path: pathOf(repository, `blobs/${digest}`),
    scopes: pullScope(repository),
    headers: { 'Accept-Encoding': 'identity', ...(offset > 0 && { Range: `bytes=${offset}-` }) },
    expect: [200, 206, 416],
    signal,
  });
  if (body.statusCode === 416) {
    await discard(body);
    if (offset > 0) return openBlob(session, repository, { digest, size }, 0, signal);
    throw internal(`blob ${digest}: the registry does not have the range it was asked for`);
  }
  const first = body.statusCode === 206 ? rangeStart(body, digest, size) : 0;
  const length = body.headers['content-length'];
  if (length !== undefined && Number(length) !== size - first) {
    body.destroy();
    throw internal(`blob ${digest} has ${Number(length) + first} bytes, but its manifest says ${size}`);
  }
  return { body, offset: first };
}

function rangeStart(body: IncomingMessage, digest: string, size: number): number {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(body.headers['content-range'] ?? '') ?? [];
  if (start !== undefined && (total === '*' || Number(total) === size)) return Number(start);
  body.destroy();
  throw internal(`blob ${digest}: the registry answers another range than it was asked for`);
}

/** The size of a blob in a repository; undefined when it does not have it. */
export async function statBlob(
  session: RegistrySession,
  repository: Repository,
  digest: string,
  scopes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  try {
    const head = await headOf(
      session.request({ method: 'HEAD', path: pathOf(repository, `blobs/${digest}`), scopes, expect: [200], signal }),
    );
    return Number(head.headers['content-length'] ?? 0);
  } catch (error) {
    if (error instanceof RegistryError && error.status === 404) return undefined;
    throw error;
  }
}
