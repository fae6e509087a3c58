import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { closeSync } from 'node:fs';
import type { PublishedPort } from '@gantry/core/contracts';
import { familyOf } from '@gantry/lib-network';
import type { HeldPort, Target } from './held-port.js';

/** An exchange without packets in either direction is closed after this many milliseconds. */
const idleTimeout = 90_000;
/** Each exchange holds a socket; beyond this many the oldest one is closed. */
const maxExchanges = 1024;

interface Exchange {
  readonly socket: Socket;
  readonly timer: NodeJS.Timeout;
}

/** A UDP port, reserved by a bound socket. */
export class UdpPort implements HeldPort {
  #socket: Socket | undefined;
  #target: Target | undefined;
  #closed = false;
  /** By the client's address and port. */
  readonly #exchanges = new Map<string, Exchange>();

  constructor(
    readonly published: PublishedPort,
    private readonly fd: number,
  ) {}

  serve(target: Target): void {
    if (this.#closed || this.#socket !== undefined) return;
    const socket = createSocket(typeOf(this.published.hostIp));
    this.#socket = socket;
    this.#target = target;
    socket.on('error', () => undefined); // such as an unreachable client
    socket.on('message', (packet, client) => this.relay(packet, client));
    socket.bind({ fd: this.fd, exclusive: true });
    socket.unref();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#socket === undefined) closeSync(this.fd);
    else this.#socket.close();
    for (const key of [...this.#exchanges.keys()]) this.#end(key);
  }

  /**
   * Sends a client's datagram to the container. Dropped when it claims to come from port 0: nothing can be sent there,
   * and Node throws when asked to.
   */
  relay(packet: Buffer, client: RemoteInfo): void {
    if (this.#closed || this.#socket === undefined || this.#target === undefined || client.port === 0) return;
    const { port, address } = this.#target;
    this.#exchange(this.#socket, client, this.#target).send(packet, port, address);
  }

  /** The socket that represents the client towards the container. */
  #exchange(outside: Socket, client: RemoteInfo, target: Target): Socket {
    const key = `${client.address} ${client.port}`;
    const known = this.#exchanges.get(key);
    if (known !== undefined) {
      known.timer.refresh();
      return known.socket;
    }
    const [oldest] = this.#exchanges.keys();
    if (oldest !== undefined && this.#exchanges.size >= maxExchanges) this.#end(oldest);
    const socket = createSocket(typeOf(target.address));
    const timer = setTimeout(() => this.#end(key), idleTimeout).unref();
    socket.on('error', () => undefined); // such as a container that does not listen
    socket.on('message', (packet) => {
      timer.refresh();
      if (!this.#closed) outside.send(packet, client.port, client.address);
    });
    socket.unref();
    this.#exchanges.set(key, { socket, timer });
    return socket;
  }

  #end(key: string): void {
    const exchange = this.#exchanges.get(key);
    if (exchange === undefined) return;
    this.#exchanges.delete(key);
    clearTimeout(exchange.timer);
    exchange.socket.close();
  }
}

const typeOf = (address: string): 'udp4' | 'udp6' => (familyOf(address) === 'ipv4' ? 'udp4' : 'udp6');
