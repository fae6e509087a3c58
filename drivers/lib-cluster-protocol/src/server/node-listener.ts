import { createHash, hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Logger } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { addressesOfHost, HostAddress, plainAddress } from '../addresses/host-address.js';
import type { NodeIdentity } from '../identity/node-identity.js';
import { type Peer, peerOf } from '../identity/peer.js';
import { HandshakeQueue } from './handshake-queue.js';
import type { NodeRouteTable } from './node-route.js';
import { serveStream } from './serve-stream.js';

interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly identity: NodeIdentity;
  readonly routes: NodeRouteTable;
  readonly log: Logger;
}

/** For a node to prove who it is, in milliseconds: most of it is this manager's, when all nodes of a swarm come at once. */
const handshakeTimeout = 30_000;
/** Connections that wait to be accepted. What nodes send over one that there is no room for comes again seconds later. */
const backlog = 4_096;
/** Milliseconds between two looks at the addresses of the host. */
const addressInterval = 1_000;

/** Serves the other nodes of a swarm. */
export class NodeListener {
  readonly #sessions = new Map<ServerHttp2Session, HostAddress>();
  readonly #addressTimer: NodeJS.Timeout;
  readonly #peers = new WeakMap<TLSSocket, KnownPeer>();
  readonly #handshakes = new HandshakeQueue((socket) => this.server.emit('connection', socket));
  /** Accepts the connections that the server is given in their turn. */
  readonly #front = createServer({ pauseOnConnect: true }, (socket) => this.#handshakes.add(socket));
  #identity: NodeIdentity;

  private constructor(
    private readonly server: Http2SecureServer,
    private readonly options: ListenerOptions,
  ) {
    this.#identity = options.identity;
    server.on('secureConnection', (socket) => this.#handshakes.end(socket));
    server.on('tlsClientError', (_error, socket) => this.#handshakes.end(socket));
    server.on('session', (session) => {
      this.#sessions.set(session, new HostAddress(plainAddress(session.socket.localAddress)));
      session.once('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy()); // the connection broke: its streams are aborted
    });
    server.on('stream', (stream, headers) => this.#serve(stream, headers));
    this.#front.on('error', (err) => {
      options.log.error({ event: 'swarm.listener-failed', err }, 'failed to accept a connection of another node');
    });
    this.#addressTimer = setInterval(() => this.#endLost(), addressInterval).unref();
  }

  /** Rejects `unavailable` when the address cannot be listened on. */
  static async open(options: ListenerOptions): Promise<NodeListener> {
    const { host, identity, port } = options;
    const server = createSecureServer({
      ...contextOf(identity),
      minVersion: 'TLSv1.3',
      requestCert: true,
      rejectUnauthorized: false, // by route: those who want to join have no certificate yet
      handshakeTimeout,
    });
    const listener = new NodeListener(server, options);
    try {
      listener.#front.listen({ host, port, backlog });
      await once(listener.#front, 'listening');
    } catch (cause) {
      throw unavailable(`failed to listen on remote API address: ${(cause as Error).message}`, { cause });
    }
    return listener;
  }

  get port(): number {
    return (this.#front.address() as AddressInfo).port;
  }

  /** For connections from now on. */
  set identity(identity: NodeIdentity) {
    this.#identity = identity;
    this.server.setSecureContext(contextOf(identity));
  }

  /** Closes the listener and every connection. */
  async close(): Promise<void> {
    clearInterval(this.#addressTimer);
    const closed = new Promise<void>((resolve) => this.#front.close(() => resolve()));
    this.#handshakes.close();
    for (const session of this.#sessions.keys()) session.destroy();
    await closed;
  }

  /** What is sent over connections of an address that the host has lost would be waited for until the kernel gives up. */
  #endLost(): void {
    const present = addressesOfHost();
    for (const [session, address] of this.#sessions) if (address.isLost(present)) session.destroy();
  }

  #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const socket = stream.session?.socket as TLSSocket | undefined;
    if (socket === undefined) return;
    const peer = this.#peer(socket);
    const { log, routes } = this.options;
    void serveStream(stream, headers, { routes, log, peer, remoteAddress: plainAddress(socket.remoteAddress) });
  }

  /** Reading a certificate takes longer than most requests: once for each connection, and for each root. */
  #peer(socket: TLSSocket): Peer | undefined {
    const { trust } = this.#identity;
    const known = this.#peers.get(socket);
    if (known?.trust === trust) return known.peer;
    const peer = peerOf(socket, trust);
    this.#peers.set(socket, { trust, peer });
    return peer;
  }
}

interface KnownPeer {
  readonly trust: string;
  readonly peer: Peer | undefined;
}

/** Seconds for which a node may resume its connection: what TLS allows at most. */
const resumptionTimeout = 7 * 24 * 3600;

/**
 * Nodes resume their connections also after a restart of the manager: what its tickets are sealed with follows from its key, and
 * so is stored nowhere. Once the manager has another key or trusts other roots, every node proves again who it is.
 */
function contextOf({ certificate, key, trust }: NodeIdentity) {
  const ticketKeys = Buffer.from(hkdfSync('sha256', key, '', 'gantry session tickets', 48));
  const sessionIdContext = createHash('sha256').update(trust).digest('hex').slice(0, 32);
  return { cert: certificate, key, ca: trust, ticketKeys, sessionIdContext, sessionTimeout: resumptionTimeout };
}
