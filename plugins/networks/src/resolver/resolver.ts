import type { Socket as DatagramSocket } from 'node:dgram';
import type { Server, Socket } from 'node:net';
import { answerLocally, datagramLimit, readQuestion, refusal } from './answer.js';
import type { ContainerNames } from './container-names.js';
import { forwardTcp, forwardUdp, framed } from './forward.js';

/** Concurrent queries of one container; further ones are dropped, and the client retries. */
const queryLimit = 512;
/** Concurrent connections of one container. */
const connectionLimit = 64;
/** An idle connection is closed after this many milliseconds. */
const idleTimeout = 10_000;

/** The embedded resolver of one sandbox, on sockets that were opened inside it. */
export class Resolver {
  readonly #connections = new Set<Socket>();
  #pending = 0;
  #isClosed = false;

  constructor(
    private readonly sockets: { readonly udp: DatagramSocket; readonly tcp: Server },
    private readonly names: ContainerNames,
    private readonly nameservers: readonly string[],
    /** Called with the failure of a query: what a client sends must never reach the process as an exception. */
    private readonly onError: (error: unknown) => void = () => undefined,
  ) {
    const { udp, tcp } = sockets;
    udp.on('message', (message, { address, port }) => {
      void this.#limited(async () => {
        const answer = await this.#answer(message, forwardUdp, datagramLimit);
        if (answer !== undefined && !this.#isClosed) udp.send(answer, port, address, () => undefined);
      });
    });
    // The sockets of a removed sandbox fail.
    udp.on('error', () => undefined);
    tcp.on('error', () => undefined);
    tcp.on('connection', (connection) => this.#serve(connection));
  }

  /** Closes the sockets and every connection. Idempotent. */
  close(): void {
    const { udp, tcp } = this.sockets;
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const connection of this.#connections) connection.destroy();
    udp.close();
    tcp.close(() => undefined);
  }

  #serve(connection: Socket): void {
    if (this.#connections.size >= connectionLimit) {
      connection.destroy();
      return;
    }
    this.#connections.add(connection);
    connection.on('close', () => this.#connections.delete(connection));
    connection.on('error', () => connection.destroy());
    connection.setTimeout(idleTimeout, () => connection.destroy());
    let received = Buffer.alloc(0);
    connection.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= received.readUInt16BE(0) + 2) {
        const end = received.readUInt16BE(0) + 2;
        const message = received.subarray(2, end);
        received = received.subarray(end);
        void this.#limited(async () => {
          const answer = await this.#answer(message, forwardTcp);
          if (answer !== undefined && connection.writable) connection.write(framed(answer));
        });
      }
    });
  }

  async #answer(
    message: Buffer,
    forward: typeof forwardUdp,
    limitOf?: typeof datagramLimit,
  ): Promise<Buffer | undefined> {
    const packet = readQuestion(message);
    if (packet === undefined) return undefined;
    const local = answerLocally(packet, this.names, limitOf?.(packet));
    if (local !== undefined) return local;
    const forwarded = this.names.mayForward() ? await forward(message, this.nameservers) : undefined;
    return forwarded ?? refusal(packet, 'serverFailure');
  }

  /** Never rejects. */
  async #limited(work: () => Promise<void>): Promise<void> {
    if (this.#pending >= queryLimit) return;
    this.#pending += 1;
    try {
      await work();
    } catch (error) {
      this.onError(error);
    } finally {
      this.#pending -= 1;
    }
  }
}
