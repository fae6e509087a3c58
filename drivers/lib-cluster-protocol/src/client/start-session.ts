import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/** Resolves to the session when the manager has accepted it. The socket is the session's, and is destroyed on rejection. */
export async function startSession(
  address: string,
  socket: TLSSocket,
  signal: AbortSignal,
): Promise<ClientHttp2Session> {
  const session = connect(`https://${address}`, { createConnection: () => socket });
  try {
    await once(session, 'connect', { signal });
    return session;
  } catch (error) {
    session.on('error', () => undefined); // reported already
    session.destroy();
    // The session would wait until it is connected.
    socket.destroy();
    throw error;
  }
}
