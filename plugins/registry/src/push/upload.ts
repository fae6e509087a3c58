import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { internal } from '@gantry/core/errors';
import { pathOf, pushScope, type Repository } from '../remote/repository.js';
import { headOf, type RegistrySession } from '../remote/session.js';
import { RegistryError } from '../transport/registry-error.js';
import { backoff, isPassing } from '../transport/retry.js';

/** What is uploaded, readable from any offset and more than once. */
export interface UploadSource {
  readonly digest: string;
  readonly size: number;
  /** The bytes from `start` up to `end`, without it. */
  open(start: number, end: number): Readable;
}

interface UploadRequest {
  readonly session: RegistrySession;
  readonly repository: Repository;
  readonly source: UploadSource;
  /** Where an upload is open already. */
  readonly location?: URL;
  /** Size of the pieces; 0 sends it whole. */
  readonly chunkBytes: number;
  readonly onBytes?: (sent: number) => void;
  readonly signal: AbortSignal;
}

/** Uploads a blob. After a break it goes on where the registry says it is. */
export async function upload(request: UploadRequest): Promise<void> {
  const { session, source, signal } = request;
  let location = request.location ?? (await beginUpload(request));
  let offset = 0;
  for (let failures = 0; ; ) {
    const before = offset;
    try {
      const inPieces = offset > 0 || request.chunkBytes > 0;
      while (inPieces && offset < source.size) {
        const end = Math.min(source.size, offset + (request.chunkBytes || source.size));
        location = await sendPiece(request, location, offset, end);
        offset = end;
      }
      await finish(request, location, offset);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const isLost = error instanceof RegistryError && [404, 416].includes(error.status);
      failures = offset > before ? 1 : failures + 1;
      if ((!isPassing(error) && !isLost) || failures >= session.retry.attempts) throw error;
      await delay(backoff(session.retry, failures, error), undefined, { signal });
      ({ location, offset } = await whereIs(request, location));
    }
  }
}

/** Opens an upload. */
async function beginUpload(request: Pick<UploadRequest, 'session' | 'repository' | 'signal'>): Promise<URL> {
  const { session, repository, signal } = request;
  const response = await headOf(
    session.request({
      method: 'POST',
      path: pathOf(repository, 'blobs/uploads/'),
      scopes: pushScope(repository),
      headers: { 'Content-Length': '0' },
      expect: [202],
      signal,
    }),
  );
  return locationOf(response, await session.base(signal));
}

/** Where an open upload goes on. @throws EngineError `internal` when the answer does not say. */
export function locationOf(response: IncomingMessage, base: URL): URL {
  const location = response.headers.location ?? '';
  if (location === '' || !URL.canParse(location, base.href))
    throw internal('the registry does not say where to upload to');
  const url = new URL(location, base);
  if (!/^https?:$/.test(url.protocol)) throw internal(`the registry wants an upload to ${url.protocol}`);
  return url;
}

async function sendPiece(request: UploadRequest, location: URL, start: number, end: number): Promise<URL> {
  const { session, repository, signal } = request;
  const response = await headOf(
    session.once({
      method: 'PATCH',
      path: location,
      scopes: pushScope(repository),
      headers: { 'Content-Type': 'application/octet-stream', 'Content-Range': `${start}-${end - 1}` },
      body: bodyOf(request, start, end),
      expect: [202, 204],
      signal,
    }),
  );
  return locationOf(response, location);
}

/** Ends the upload with what is left of the content. */
async function finish(request: UploadRequest, location: URL, offset: number): Promise<void> {
  const { session, repository, source, signal } = request;
  const path = new URL(location);
  path.searchParams.set('digest', source.digest);
  const isAll = offset === source.size && source.size > 0;
  await headOf(
    session.once({
      method: 'PUT',
      path,
      scopes: pushScope(repository),
      headers: { 'Content-Type': 'application/octet-stream' },
      body: isAll ? Buffer.alloc(0) : bodyOf(request, offset, source.size),
      expect: [200, 201, 204],
      signal,
    }),
  );
}

/** Asks how much has arrived; a registry that does not know the upload any more gets it anew. */
async function whereIs(request: UploadRequest, location: URL): Promise<{ location: URL; offset: number }> {
  const { session, repository, signal } = request;
  try {
    const response = await headOf(
      session.request({ method: 'GET', path: location, scopes: pushScope(repository), expect: [204], signal }),
    );
    const last = /^(?:bytes=)?0-(\d+)$/.exec(String(response.headers.range ?? ''))?.[1];
    const offset = last === undefined || last === '0' ? 0 : Number(last) + 1;
    if (offset > 0 && offset <= request.source.size && response.headers.location !== undefined) {
      return { location: locationOf(response, location), offset };
    }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
  }
  return { location: await beginUpload(request), offset: 0 };
}

function bodyOf({ source, onBytes }: UploadRequest, start: number, end: number) {
  return {
    length: end - start,
    open: () => {
      let sent = start;
      const stream = source.open(start, end);
      stream.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        onBytes?.(sent);
      });
      return stream;
    },
  };
}
