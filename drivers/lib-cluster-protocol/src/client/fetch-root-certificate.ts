import { type ClientHttp2Session, constants } from 'node:http2';
import { connect } from 'node:tls';
import { abortable, withDeadline } from '@gantry/core/driver';
import { afterFrames } from '../messages/after-frames.js';
import { readBody } from '../messages/read-body.js';
import { connectionError, lateError, reachManager } from './reach.js';
import { startSession } from './start-session.js';

/** Milliseconds, once the host of the manager is reached. */
const limit = 15_000;

/**
 * The root certificate that a manager names, over a connection that proves nothing: the caller compares it with the digest
 * in a join token. Rejects `unavailable`.
 */
export async function fetchRootCertificate(address: string, path: string, signal?: AbortSignal): Promise<string> {
  try {
    const socket = connect({
      socket: await reachManager(address, signal),
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['h2'],
    });
    return await withDeadline({ milliseconds: limit, error: lateError(address), signal }, async (deadline) =>
      ask(await startSession(address, socket, deadline), path, deadline),
    );
  } catch (cause) {
    throw connectionError(address, cause);
  }
}

async function ask(session: ClientHttp2Session, path: string, signal: AbortSignal): Promise<string> {
  session.on('error', () => undefined); // reads of the stream are rejected with it
  try {
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
    });
    stream.end('null');
    return String(JSON.parse(await abortable(readBody(stream), signal)));
  } finally {
    afterFrames(() => session.destroy());
  }
}
