import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { MemberTransport } from '@gantry/core/contracts';
import { type Logger, Mutex } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import { joinConnections } from '@gantry/core/streams';
import { peerSocket } from './peer-address.js';

/** In bytes. Of a longer path Node uses the beginning, where etcd finds no socket. */
const longestSocketPath = 107;

/** Sockets for the other members of the store: what etcd sends to them goes through the transport. */
export class PeerSockets {
  readonly #servers = new Map<string, Server>();
  readonly #connections = new Set<Socket>();
  readonly #mutex = new Mutex();
  readonly #removeListener: () => void;
  #isClosed = false;

  constructor(
    private readonly directory: string,
    private readonly transport: MemberTransport,
    private readonly log: Logger,
  ) {
    this.#removeListener = transport.onChange(() => this.#follow());
  }

  /** Resolves when there is a socket for every present member. */
  open(): Promise<void> {
    return this.#update();
  }

  /** Closes the sockets and all connections. */
  close(): Promise<void> {
    this.#removeListener();
    this.#isClosed = true;
    return this.#update();
  }

  #follow(): void {
    this.#update().catch((err: unknown) => {
      this.log.error({ event: 'etcd.peers-not-updated', err }, 'failed to listen for what etcd sends to its peers');
    });
  }

  #update(): Promise<void> {
    return this.#mutex.run(async () => {
      const wanted = new Set(this.#isClosed ? [] : this.transport.members);
      for (const [member, server] of this.#servers) {
        if (wanted.has(member)) continue;
        this.#servers.delete(member);
        server.close();
      }
      if (this.#isClosed) for (const connection of this.#connections) connection.destroy();
      for (const member of wanted) if (!this.#servers.has(member)) await this.#listen(member);
    });
  }

  async #listen(member: string): Promise<void> {
    const path = join(this.directory, peerSocket(member));
    const excess = Buffer.byteLength(path) - longestSocketPath;
    if (excess > 0) {
      throw unavailable(`${path} is too long for the path of a socket: shorten execRoot by ${excess} characters`);
    }
    await rm(path, { force: true }); // of a process that was killed
    const server = createServer((connection) => {
      this.#connections.add(connection);
      connection.once('close', () => this.#connections.delete(connection));
      void this.#forward(member, connection);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    server.on('error', () => undefined); // of one connection that could not be accepted: etcd makes another
    this.#servers.set(member, server);
  }

  /** etcd tries again by itself. */
  async #forward(member: string, connection: Socket): Promise<void> {
    connection.on('error', () => connection.destroy());
    try {
      joinConnections(connection, await this.transport.connect(member));
    } catch (err) {
      connection.destroy();
      this.log.debug({ event: 'etcd.peer-unreachable', member, err }, 'a member of the store cannot be reached');
    }
  }
}
