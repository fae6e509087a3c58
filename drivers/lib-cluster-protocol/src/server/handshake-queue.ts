import type { Socket } from 'node:net';

/** Handshakes at the same time. Each takes milliseconds of this process, and all other connections wait for their turn meanwhile. */
const most = 8;
/** Milliseconds after which another one may begin beside a handshake that goes on: its node may be slow, or send nothing. */
const turn = 250;

/**
 * Has new connections prove who they are a few at a time, in the order in which they came. When all nodes of a swarm come at once,
 * the first ones are served at once, and what is connected already is answered meanwhile: the members of the store elect another
 * leader when they do not hear of each other for a second.
 */
export class HandshakeQueue {
  readonly #waiting = new Set<Socket>();
  readonly #begun = new Map<string, () => void>();

  constructor(private readonly begin: (socket: Socket) => void) {}

  add(socket: Socket): void {
    socket.on('error', () => undefined); // it is closed then
    socket.once('close', () => this.#waiting.delete(socket));
    this.#waiting.add(socket);
    this.#next();
  }

  /** The handshake of this connection has ended, either way. */
  end(connection: Pick<Socket, 'remoteAddress' | 'remotePort'>): void {
    this.#begun.get(nameOf(connection))?.();
  }

  /** Closes the connections whose handshakes have not begun. */
  close(): void {
    for (const socket of this.#waiting) socket.destroy();
  }

  #next(): void {
    for (const socket of this.#waiting) {
      if (this.#begun.size >= most) return;
      this.#waiting.delete(socket);
      if (socket.destroyed) continue;
      this.#take(socket);
      this.begin(socket);
    }
  }

  #take(socket: Socket): void {
    const name = nameOf(socket);
    const end = (): void => {
      clearTimeout(timer);
      if (this.#begun.get(name) !== end) return;
      this.#begun.delete(name);
      this.#next();
    };
    const timer = setTimeout(end, turn);
    this.#begun.set(name, end);
    socket.once('close', end);
  }
}

const nameOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`;
