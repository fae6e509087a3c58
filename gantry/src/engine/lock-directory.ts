import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { createServer } from 'node:net';

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Locks a directory for a purpose of this process. The kernel ends the lock with the process, for it is an abstract socket.
 * @returns undefined when it is locked, be it by this process.
 */
export async function lockDirectory(directory: string, purpose: 'engine' | 'run'): Promise<DirectoryLock | undefined> {
  const digest = createHash('sha256')
    .update(await realpath(directory))
    .digest('hex');
  const server = createServer((connection) => connection.destroy());
  server.unref();
  try {
    server.listen(`\0gantry-${purpose}-${digest}`);
    await once(server, 'listening');
    server.on('error', () => undefined); // of one connection that could not be accepted; the lock holds all the same
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}
