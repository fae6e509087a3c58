import { closeSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { PublishedPort } from '@gantry/core/contracts';
import type { HeldPort, Target } from './held-port.js';

/** A TCP port, reserved by a listening socket. */
export class TcpPort implements HeldPort {
  #server: Server | undefined;
  #closed = false;
  readonly #connections = new Set<Socket>();

  constructor(
    readonly published: PublishedPort,
    private readonly fd: number,
  ) {}

  serve(target: Target): void {
    if (this.#closed || this.#server !== undefined) return;
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => this.#relay(client, target));
    this.#server.on('error', () => undefined); // such as too many open files: the connection is lost, the port stays
    this.#server.listen({ fd: this.fd, exclusive: true });
    this.#server.unref();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#server === undefined) closeSync(this.fd);
    else this.#server.close();
    for (const connection of this.#connections) connection.destroy();
  }

  #relay(client: Socket, { address, port }: Target): void {
    const container = connect({ host: address, port, allowHalfOpen: true });
    for (const connection of [client, container]) {
      this.#connections.add(connection);
      connection.once('close', () => this.#connections.delete(connection));
    }
    // Each direction ends separately; a failure of either closes both.
    const ended = (error: unknown): void => {
      if (error === null || error === undefined) return;
      client.destroy();
      container.destroy();
    };
    pipeline(client, container, ended);
    pipeline(container, client, ended);
  }
}
