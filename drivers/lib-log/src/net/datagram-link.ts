import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { messageOf, unavailable } from '@gantry/core/errors';

/** Sends datagrams to one server, whose name is resolved again after a failure. */
export class DatagramLink {
  #socket: Socket | undefined;
  /** The kernel reports with a later datagram that the port of an earlier one was unreachable. */
  #refused: Error | undefined;

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  /** Rejects `unavailable`, also when the server's host reports that the port is unreachable. */
  async send(datagrams: Iterable<Uint8Array>): Promise<void> {
    try {
      this.#socket ??= await this.#connect();
      const socket = this.#socket;
      for (const datagram of datagrams) {
        if (this.#refused !== undefined) throw this.#refused;
        await new Promise<void>((resolve, reject) => {
          socket.send(datagram, (error) => (error ? reject(error) : resolve()));
        });
      }
    } catch (error) {
      this.close();
      throw unavailable(`cannot send to udp://${this.host}:${this.port}: ${messageOf(error)}`, { cause: error });
    }
  }

  close(): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#refused = undefined;
  }

  async #connect(): Promise<Socket> {
    const { address } = await lookup(this.host);
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    socket.unref();
    try {
      const connected = once(socket, 'connect');
      socket.connect(this.port, address);
      await connected;
    } catch (error) {
      socket.close();
      throw error;
    }
    socket.on('error', (error) => {
      this.#refused = error;
    });
    return socket;
  }
}
