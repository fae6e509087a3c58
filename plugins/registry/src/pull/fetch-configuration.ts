import { internal } from '@gantry/core/errors';
import { openBlob } from '../remote/blobs.js';
import { type Access, fromFirst } from '../remote/endpoints.js';
import { type Descriptor, digestOf } from '../remote/manifest.js';
import { readBody } from '../transport/read-body.js';
import { ConnectionError } from '../transport/registry-error.js';
import { retrying } from '../transport/retry.js';

/** Larger documents are refused: they are read into memory whole. */
const limit = 16 * 2 ** 20;

/** Gets a small blob, checked against its digest. */
export async function fetchConfiguration(
  access: Access,
  blob: Descriptor,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (blob.size > limit) throw internal(`configuration ${blob.digest} has ${blob.size} bytes, more than ${limit}`);
  return fromFirst(
    access.sources,
    (source) =>
      retrying(
        source.retry,
        async () => {
          const { body } = await openBlob(source, access.repository, blob, 0, signal);
          const bytes = await readBody(body, blob.size).catch((cause: Error) => {
            signal?.throwIfAborted();
            throw new ConnectionError(`blob ${blob.digest}: ${cause.message}`, false, { cause });
          });
          if (digestOf(bytes) !== blob.digest) {
            throw internal(`image config verification failed for digest ${blob.digest}`);
          }
          return bytes.toString('utf8');
        },
        signal,
      ),
    signal,
  );
}
