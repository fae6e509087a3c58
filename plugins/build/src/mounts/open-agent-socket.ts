import { chmod, chown } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectAgent } from '../contract/build-request.js';

interface SocketOwner {
  readonly mode: number | undefined;
  readonly uid: number;
  readonly gid: number;
}

/** A socket whose connections lead to an agent of the client. @returns closes it with its connections. */
export async function openAgentSocket(
  path: string,
  connect: ConnectAgent,
  { mode = 0o600, uid, gid }: SocketOwner,
): Promise<() => Promise<void>> {
  const open = new Set<Duplex>();
  const join = (socket: Socket): void => {
    const agent = connect();
    for (const stream of [socket, agent]) {
      open.add(stream);
      stream.once('close', () => open.delete(stream));
    }
    // A failure of one side closes the other; the program sees the end of its connection.
    void Promise.all([pipeline(socket, agent), pipeline(agent, socket)]).catch(() => {
      socket.destroy();
      agent.destroy();
    });
  };
  const server = createServer({ allowHalfOpen: true }, join);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.on('error', () => undefined); // of one connection that could not be accepted
  const close = async (): Promise<void> => {
    for (const stream of open) stream.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  try {
    await chown(path, uid, gid);
    await chmod(path, mode);
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}
