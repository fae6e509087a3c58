import { servicePoint } from '@gantry/core/points';
import { LinuxError } from '../errors/linux-error.js';
import { limitWait, receiveWithDescriptor, sendWithDescriptor } from './descriptor-channel.js';
import { kernelSockets } from './kernel-sockets.js';
import type { OpenSocket, SocketAddress, Sockets } from './sockets.js';

/**
 * Sockets at the addresses where clients reach the host. A rootless daemon is in a network namespace of its own, and its
 * launcher opens them for it. Throws LinuxError: `EADDRINUSE`, `EADDRNOTAVAIL`; `EACCES` for a port that is reserved for
 * root.
 */
export type HostSockets = Pick<Sockets, 'bindUdp' | 'listenTcp'>;

export const HostSockets = servicePoint<HostSockets>('linux.host-sockets', {
  fallback: () => launcherSockets(process.env[hostSocketsVariable]) ?? kernelSockets,
});

/** Names the descriptor of the connection to the launcher. */
export const hostSocketsVariable = 'GANTRY_HOST_SOCKETS';

/** What is asked of the launcher, one JSON object per line. */
export interface SocketRequest {
  readonly type: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
}

/** What it answers, one per line, with the socket's descriptor unless it failed. */
export type SocketAnswer = { readonly port: number } | { readonly error: string };

/** The launcher binds a socket, which takes no time: it is only late when it is stopped. */
const answerSeconds = 10;

function launcherSockets(variable: string | undefined): HostSockets | undefined {
  if (variable === undefined) return undefined;
  const fd = Number(variable);
  limitWait(fd, answerSeconds);
  const open = (type: SocketRequest['type'], { address, port }: SocketAddress): OpenSocket => {
    const request: SocketRequest = { type, address, port };
    const path = `${address}:${port}`;
    sendWithDescriptor(fd, Buffer.from(`${JSON.stringify(request)}\n`));
    const { bytes, descriptor } = receiveWithDescriptor(fd);
    if (bytes.length === 0) throw new LinuxError('ECONNRESET', 'bind', { path, detail: 'the launcher has exited' });
    const answer = JSON.parse(bytes.toString()) as SocketAnswer;
    if ('error' in answer) throw new LinuxError(answer.error, 'bind', { path });
    if (descriptor === undefined)
      throw new LinuxError('EBADF', 'bind', { path, detail: 'the launcher sent no socket' });
    return { fd: descriptor, port: answer.port };
  };
  return { listenTcp: (address) => open('tcp', address), bindUdp: (address) => open('udp', address) };
}
