import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf } from '../errors/engine-error.js';

/** What a command asks of the daemon that runs, in one line of JSON. */
interface ControlRequest {
  readonly command: string;
  readonly [option: string]: unknown;
}

/** Answers a request, an object a line, as they come. */
export type ControlHandler = (request: ControlRequest) => AsyncIterable<object>;

const socketIn = (execRoot: string): string => path.join(execRoot, 'control.sock');

/** Listens for commands of the daemon's own user, beside and independent of the API. @returns ends it. */
export async function serveControl(execRoot: string, handle: ControlHandler): Promise<() => Promise<void>> {
  const file = socketIn(execRoot);
  await rm(file, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    void answer(socket, handle);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(file, resolve);
  });
  server.on('error', () => undefined); // of one connection that could not be accepted
  await chmod(file, 0o600);
  return async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}

async function answer(socket: Socket, handle: ControlHandler): Promise<void> {
  const lines = createInterface({ input: socket });
  // A client that leaves early ends its own command, not the daemon.
  lines.on('error', () => undefined);
  try {
    for await (const line of lines) {
      for await (const item of handle(JSON.parse(line) as ControlRequest)) {
        if (socket.destroyed) return;
        socket.write(`${JSON.stringify(item)}\n`);
      }
      break;
    }
    socket.end();
  } catch (error) {
    socket.end(`${JSON.stringify({ error: messageOf(error) })}\n`);
  }
}

/** Whether `askDaemon` failed because no daemon runs. */
export const isWithoutDaemon = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED'].includes(String((error as NodeJS.ErrnoException).code));

/** Asks the daemon that uses an `execRoot`. Throws an error of which `isWithoutDaemon` is true when none runs. */
export async function* askDaemon(execRoot: string, request: ControlRequest): AsyncGenerator<Record<string, unknown>> {
  const socket = createConnection(socketIn(execRoot));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const line of createInterface({ input: socket })) {
      const item = JSON.parse(line) as Record<string, unknown>;
      if (typeof item.error === 'string') throw new Error(item.error);
      yield item;
    }
  } finally {
    socket.destroy();
  }
}
