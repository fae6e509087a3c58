import type { Duplex } from 'node:stream';
import { inject, injectable } from '@gantry/core/driver';
import { GrpcServer } from './grpc/grpc-server.js';
import { Protocol } from './protocol/protocol.js';
import { Services } from './services.js';
import { type Libraries, SessionConnections } from './sessions/session-connections.js';
import type { ConnectionFacts } from './solve/connection-facts.js';

interface Loaded extends Libraries {
  readonly server: GrpcServer<ConnectionFacts>;
}

/** Serves connections of BuildKit clients. HTTP/2 and the messages are loaded with the first one. */
@injectable()
export class Front {
  #loaded: Promise<Loaded> | undefined;

  constructor(
    @inject(Services) private readonly services: Services,
    @inject(SessionConnections) private readonly connections: SessionConnections,
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
  async openSession(socket: Duplex, facts: ReturnType<SessionConnections['check']>): Promise<void> {
    await this.connections.open(socket, facts, await this.#load());
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= this.#start();
    return this.#loaded;
  }

  async #start(): Promise<Loaded> {
    const [protocol, http2] = await Promise.all([Protocol.load(), import('node:http2')]);
    const methods = this.services.methods({ protocol, http2 });
    return { protocol, http2, server: new GrpcServer(http2.createServer, methods) };
  }
}
