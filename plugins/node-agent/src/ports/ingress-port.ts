import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

export interface IngressTarget {
  readonly address: string;
  readonly port: number;
}

/** Milliseconds for a connection to a task. */
const connectTimeout = 3_000;

/** A TCP port of the host whose connections are spread over the tasks of a service, one after the other. */
export class IngressPort {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #targets: readonly IngressTarget[] = [];
  #next = 0;

  constructor(readonly port: number) {
    this.#server = createServer({ allowHalfOpen: true }, (client) => void this.#serve(client));
  }

  /** Rejects the error of the kernel when the port is taken. */
  async open(): Promise<void> {
    this.#server.listen({ port: this.port, host: '::', ipv6Only: false });
    await once(this.#server, 'listening');
  }

  /** For connections from now on; those that are open stay where they are. */
  balance(targets: readonly IngressTarget[]): void {
    this.#targets = targets;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(client: Socket): Promise<void> {
    this.#track(client);
    const target = await this.#connect();
    if (target === undefined || client.destroyed) {
      target?.destroy();
      client.resetAndDestroy();
      return;
    }
    this.#track(target);
    // The end of one stream ends the other; a reset destroys both.
    const ended = (error: Error | null | undefined): void => {
      if (error === null || error === undefined) return;
      client.destroy();
      target.destroy();
    };
    pipeline(client, target, ended);
    pipeline(target, client, ended);
  }

  /** Each task once, from the one whose turn it is. */
  async #connect(): Promise<Socket | undefined> {
    const targets = this.#targets;
    const first = this.#next++;
    for (let index = 0; index < targets.length; index++) {
      const target = targets[(first + index) % targets.length];
      const socket = target === undefined ? undefined : await connected(target);
      if (socket !== undefined) return socket;
    }
    return undefined;
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }
}

async function connected({ address, port }: IngressTarget): Promise<Socket | undefined> {
  const socket = connect({ host: address, port, allowHalfOpen: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeout) });
    return socket;
  } catch {
    // Another task may answer.
    socket.destroy();
    return undefined;
  }
}
