import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { untilAborted, withDeadline } from '@gantry/core/driver';
import { EngineError, unavailable } from '@gantry/core/errors';
import { afterFrames } from '../messages/after-frames.js';
import { readBody } from '../messages/read-body.js';
import { lateError, reachManager } from './reach.js';

/** Milliseconds, once the host of the manager is reached. */
const limit = 15_000;

/**
 * The root certificate that a manager names, over a connection that proves nothing: the caller compares it with the digest
 * in a join token. Rejects `unavailable`.
 */
export async function fetchRootCertificate(address: string, path: string, signal?: AbortSignal): Promise<string> {
  try {
    const socket = connectTls({
      socket: await reachManager(address, signal),
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['h2'],
    });
    return await withDeadline({ milliseconds: limit, error: lateError(address), signal }, (deadline) =>
      ask(socket, address, path, deadline),
    );
  } catch (cause) {
    throw EngineError.is(cause)
      ? cause
      : unavailable(`cannot connect to the manager ${address}: ${(cause as Error).message}`, { cause });
  }
}

async function ask(socket: TLSSocket, address: string, path: string, signal: AbortSignal): Promise<string> {
  const session = connectHttp2(`https://${address}`, { createConnection: () => socket });
  session.on('error', () => undefined); // the next line reports the first one
  const failed = once(session, 'error').then(([cause]) => {
    throw cause;
  });
  failed.catch(() => undefined); // also after the answer
  const ended = untilAborted(signal).then(() => {
    throw signal.reason;
  });
  ended.catch(() => undefined); // also after the answer
  try {
    await Promise.race([once(session, 'connect'), failed, ended]);
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
    });
    stream.end('null');
    return String(JSON.parse(await Promise.race([readBody(stream), failed, ended])));
  } finally {
    afterFrames(() => {
      session.destroy();
      socket.destroy(); // the session would wait until it is connected
    });
  }
}
