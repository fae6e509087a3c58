import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { withDeadline } from '@gantry/core/driver';
import { EngineError, unavailable } from '@gantry/core/errors';
import { readBody } from '../messages/read-body.js';

const limit = 5_000;

/**
 * The root certificate that a manager names, over a connection that proves nothing: the caller compares it with the digest
 * in a join token. Rejects `unavailable`.
 */
export async function fetchRootCertificate(address: string, path: string, signal?: AbortSignal): Promise<string> {
  const session = connectHttp2(`https://${address}`, { rejectUnauthorized: false, minVersion: 'TLSv1.3' });
  const failed = once(session, 'error').then(([cause]) => {
    throw cause;
  });
  failed.catch(() => undefined); // also after the answer
  try {
    const error = `the manager ${address} did not answer in time`;
    return await withDeadline({ milliseconds: limit, error, signal }, async () => {
      await Promise.race([once(session, 'connect'), failed]);
      const stream = session.request({
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: path,
      });
      stream.end('null');
      return String(JSON.parse(await Promise.race([readBody(stream), failed])));
    });
  } catch (cause) {
    throw EngineError.is(cause)
      ? cause
      : unavailable(`cannot connect to the manager ${address}: ${(cause as Error).message}`, { cause });
  } finally {
    session.destroy();
  }
}
