import type { Socket as DatagramSocket } from 'node:dgram';
import type { Server, Socket } from 'node:net';
import { answerLocally, datagramLimit, readQuestion, refusal } from './answer.js';
import type { ContainerNames } from './container-names.js';
import { forwardTcp, forwardUdp, framed } from './forward.js';

/** Questions under way for one container; more are dropped, and the client asks again. */
const questionLimit = 512;
/** Connections of one container. */
const connectionLimit = 64;
/** A connection that asks nothing is closed, in milliseconds. */
const idleLimit = 10_000;

/** The embedded resolver of one sandbox, on sockets made inside it. */
export class Resolver {
  readonly #connections = new Set<Socket>();
  #underWay = 0;

  constructor(
    private readonly sockets: { readonly udp: DatagramSocket; readonly tcp: Server },
    private readonly names: ContainerNames,
    private readonly nameservers: readonly string[],
  ) {
    const { udp, tcp } = sockets;
    udp.on('message', (message, { address, port }) => {
      void this.#limited(async () => {
        const answer = await this.#answer(message, forwardUdp, datagramLimit);
        if (answer !== undefined) udp.send(answer, port, address, () => undefined);
      });
    });
    // A sandbox that goes away takes its sockets with it.
    udp.on('error', () => undefined);
    tcp.on('error', () => undefined);
    tcp.on('connection', (connection) => this.#serve(connection));
  }

  /** Ends it, with every connection. Twice: nothing happens. */
  close(): void {
    const { udp, tcp } = this.sockets;
    for (const connection of this.#connections) connection.destroy();
    try {
      udp.close();
    } catch {
      // closed already
    }
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
    connection.setTimeout(idleLimit, () => connection.destroy());
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

  async #limited(work: () => Promise<void>): Promise<void> {
    if (this.#underWay >= questionLimit) return;
    this.#underWay += 1;
    try {
      await work();
    } finally {
      this.#underWay -= 1;
    }
  }
}
