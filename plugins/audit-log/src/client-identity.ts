import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { inject, injectable } from '@gantry/core/driver';
import { Sockets } from '@gantry/lib-linux/sockets';

/** Who sent a request. */
type Client =
  /** The process that connected to a Unix socket, when it did. */
  | { readonly pid: number; readonly uid: number; readonly gid: number }
  /** `subject` of a TLS client certificate. */
  | { readonly address: string; readonly subject?: string }
  | { readonly unknown: string };

/** Finds out who a connection belongs to. */
@injectable()
export class ClientIdentity {
  readonly #known = new WeakMap<Socket, Client>();

  constructor(@inject(Sockets.token) private readonly sockets: Pick<Sockets, 'peerCredentials'>) {}

  of(socket: Socket): Client {
    const known = this.#known.get(socket) ?? this.#identify(socket);
    this.#known.set(socket, known);
    return known;
  }

  #identify(socket: Socket): Client {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress !== undefined) {
      const subject = subjectOf(socket as Partial<TLSSocket>);
      return { address: `${remoteAddress} ${remotePort}`, ...(subject !== undefined && { subject }) };
    }
    // Node has no public way to a peer's credentials: docs/adr/0018.
    const fd = (socket as { readonly _handle?: { readonly fd?: number } })._handle?.fd;
    if (fd === undefined || fd < 0) return { unknown: 'the client has closed its connection' };
    return this.sockets.peerCredentials(fd);
  }
}

/** Such as `CN=alice,O=example`. */
function subjectOf(socket: Partial<TLSSocket>): string | undefined {
  const subject = socket.getPeerCertificate?.().subject;
  if (subject === undefined) return undefined;
  return Object.entries(subject)
    .map(([name, value]) => `${name}=${[value].flat().join('+')}`)
    .join(',');
}
