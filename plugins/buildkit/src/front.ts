import type { Duplex } from 'node:stream';
import { inject, injectable } from '@gantry/core/driver';
import { GrpcClient } from './grpc/grpc-client.js';
import { GrpcServer } from './grpc/grpc-server.js';
import { Protocol } from './protocol/protocol.js';
import { Services } from './services.js';
import { ClientSession } from './sessions/client-session.js';
import { ClientSessions } from './sessions/client-sessions.js';
import type { ConnectionFacts } from './solve/connection-facts.js';

interface Loaded {
  readonly protocol: Protocol;
  readonly http2: typeof import('node:http2');
  readonly server: GrpcServer<ConnectionFacts>;
}

/** Serves connections of BuildKit clients. HTTP/2 and the messages are loaded with the first one. */
@injectable()
export class Front {
  #loaded: Promise<Loaded> | undefined;

  constructor(
    @inject(Services) private readonly services: Services,
    @inject(ClientSessions) private readonly sessions: ClientSessions,
  ) {}

  /** Resolves once connections can be served. */
  async prepare(): Promise<void> {
    await this.#load();
  }

  /** Serves the calls of a client until it closes the connection. */
  async serve(socket: Duplex, facts: ConnectionFacts): Promise<void> {
    const { server } = await this.#load();
    await server.serve(socket, facts);
  }

  /** Offers the services at the other end of a connection to the builds of its client, until it is closed. */
  async openSession(socket: Duplex, id: string, methods: readonly string[]): Promise<void> {
    const { http2, protocol } = await this.#load();
    const closed = new Promise<void>((resolve) => {
      socket.once('close', resolve);
    });
    const client = new GrpcClient(http2.connect, socket);
    const names = new Set(methods.map((method) => method.toLowerCase()));
    const remove = this.sessions.add(id, new ClientSession(client, protocol, names));
    await closed;
    remove();
    client.close();
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= this.#start();
    return this.#loaded;
  }

  async #start(): Promise<Loaded> {
    const [protocol, http2] = await Promise.all([Protocol.load(), import('node:http2')]);
    return { protocol, http2, server: new GrpcServer(http2.createServer, this.services.methods(protocol)) };
  }
}
