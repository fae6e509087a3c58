import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { LinuxError } from '../errors/linux-error.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { sendWithDescriptor } from './descriptor-channel.js';
import type { HostSockets, SocketAnswer, SocketRequest } from './host-sockets.js';
import { kernelSockets } from './kernel-sockets.js';

/** Opens sockets for a daemon at the other end of a connection, until it closes that. Owns the descriptor. */
export function serveHostSockets(fd: number, sockets: HostSockets = kernelSockets): void {
  const connection = new Socket({ fd, readable: true, writable: true });
  connection.on('error', () => connection.destroy());
  createInterface({ input: connection }).on('line', (line) => answer(fd, JSON.parse(line) as SocketRequest, sockets));
}

function answer(fd: number, { type, address, port }: SocketRequest, sockets: HostSockets): void {
  let opened: { readonly fd: number; readonly port: number };
  try {
    opened = type === 'tcp' ? sockets.listenTcp({ address, port }) : sockets.bindUdp({ address, port });
  } catch (error) {
    const code = error instanceof LinuxError ? error.code : 'EIO';
    sendWithDescriptor(fd, encode({ error: code }));
    return;
  }
  try {
    sendWithDescriptor(fd, encode({ port: opened.port }), opened.fd);
  } finally {
    closeDescriptor(opened.fd);
  }
}

const encode = (value: SocketAnswer): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
