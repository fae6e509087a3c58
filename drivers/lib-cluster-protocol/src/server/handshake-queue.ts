import type { Socket } from 'node:net';
import { isClosedByPeer } from '@gantry/lib-linux/tcp';

/** Handshakes at the same time. Each takes milliseconds of this process, and all other connections wait for their turn meanwhile. */
const most = 8;
/**
 * Milliseconds after which another one may begin beside a handshake that goes on: its node may be slow, far away, or send nothing.
 * Fewer than this manager has time for would keep all others waiting for the nodes instead of for it.
 */
const turn = 50;

/**
 * Has new connections prove who they are a few at a time, in the order in which they came. When all nodes of a swarm come at once,
 * the first ones are served at once, and what is connected already is answered meanwhile: the members of the store elect another
 * leader when they do not hear of each other for a second. Nodes that have given up by their turn are passed over: a handshake with
 * each of them would have the next ones give up, too.
 */
export class HandshakeQueue {
  readonly #waiting = new Set<Socket>();
  readonly #begun = new Map<string, Socket>();
  /** Those of the begun ones that others wait for. */
  readonly #turns = new Set<Socket>();

  /** @param isClosed whether the node has closed a connection, which a socket that is not read from does not notice. */
  constructor(
    private readonly begin: (socket: Socket) => void,
    private readonly isClosed: (socket: Socket) => boolean = isClosedByPeer,
  ) {}

  add(socket: Socket): void {
    socket.on('error', () => undefined); // it is closed then
    socket.once('close', () => this.#waiting.delete(socket));
    this.#waiting.add(socket);
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
    for (const socket of [...this.#waiting, ...this.#begun.values()]) socket.destroy();
  }

  #next(): void {
    for (const socket of this.#waiting) {
      if (this.#turns.size >= most) return;
      this.#waiting.delete(socket);
      if (socket.destroyed) continue;
      if (this.isClosed(socket)) {
        socket.destroy();
        continue;
      }
      this.#take(socket);
      this.begin(socket);
    }
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
