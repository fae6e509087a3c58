import type { Socket } from 'node:net';
import { acceptLimit } from '../accept-limit.js';

/** Handshakes at the same time. Each takes milliseconds of this process, and all other connections wait for their turn meanwhile. */
const most = 8;
/** Milliseconds after which another one may begin beside a handshake that goes on: its node may be slow, or send nothing. */
const turn = 250;

interface Waiting {
  readonly socket: Socket;
  /** In milliseconds. */
  readonly since: number;
}

/**
 * Has new connections prove who they are a few at a time. When all nodes of a swarm come at once, the first ones are served at once,
 * and what is connected already is answered meanwhile: the members of the store elect another leader when they do not hear of each
 * other for a second. Of those that wait the newest is next. Where there are too many, the oldest are about to give up, and all of
 * them would be served for nothing; and a connection that is not read from does not say that the node has closed it.
 */
export class HandshakeQueue {
  /** The oldest first. */
  readonly #waiting: Waiting[] = [];
  readonly #begun = new Map<string, Socket>();
  /** Those of the begun ones that others wait for. */
  readonly #turns = new Set<Socket>();

  /** @param now in milliseconds, from any moment on. */
  constructor(
    private readonly begin: (socket: Socket) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  add(socket: Socket): void {
    socket.on('error', () => undefined); // it is closed then
    this.#waiting.push({ socket, since: this.now() });
    this.#next();
  }

  /** The handshake of this connection has ended, either way. */
  end(connection: Pick<Socket, 'remoteAddress' | 'remotePort'>): void {
    const name = nameOf(connection);
    const socket = this.#begun.get(name);
    this.#begun.delete(name);
    if (socket !== undefined) this.#endTurn(socket);
  }

  /** Closes the connections whose handshakes have not ended. */
  close(): void {
    const waiting = this.#waiting.splice(0).map(({ socket }) => socket);
    for (const socket of [...waiting, ...this.#begun.values()]) socket.destroy();
  }

  #next(): void {
    this.#closeLate();
    while (this.#turns.size < most) {
      const next = this.#waiting.pop();
      if (next === undefined) return;
      if (next.socket.destroyed) continue;
      this.#take(next.socket);
      this.begin(next.socket);
    }
  }

  /** Their nodes have given up. */
  #closeLate(): void {
    const limit = this.now() - acceptLimit;
    const count = this.#waiting.findIndex(({ since }) => since > limit);
    for (const { socket } of this.#waiting.splice(0, count < 0 ? this.#waiting.length : count)) socket.destroy();
  }

  #take(socket: Socket): void {
    const name = nameOf(socket);
    this.#begun.set(name, socket);
    this.#turns.add(socket);
    const timer = setTimeout(() => this.#endTurn(socket), turn);
    socket.once('close', () => {
      clearTimeout(timer);
      if (this.#begun.get(name) === socket) this.#begun.delete(name);
      this.#endTurn(socket);
    });
  }

  #endTurn(socket: Socket): void {
    if (this.#turns.delete(socket)) this.#next();
  }
}

const nameOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`;
