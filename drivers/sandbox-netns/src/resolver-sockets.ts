import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { inject, injectable } from '@gantry/core/driver';
import { Namespaces } from '@gantry/lib-linux/namespaces';
import { Nftables, NftablesError } from '@gantry/lib-linux/nftables';
import { type OpenSocket, Sockets } from '@gantry/lib-linux/sockets';

/** The name server in the resolv.conf of a sandbox. */
const address = '127.0.0.11';

/**
 * Sockets for the embedded resolver, opened in a sandbox's namespace on ephemeral ports: port 53 stays free for programs
 * that bind it on every address. NAT rules in the namespace redirect port 53 to them.
 */
@injectable()
export class ResolverSockets {
  constructor(
    @inject(Namespaces.token) private readonly namespaces: Namespaces,
    @inject(Sockets.token) private readonly sockets: Sockets,
    @inject(Nftables.token) private readonly nftables: Nftables,
  ) {}

  /** Replaces the rules of an earlier daemon. */
  async open(namespace: string): Promise<{ readonly udp: DatagramSocket; readonly tcp: Server }> {
    const [udp, tcp] = this.#openBoth(namespace);
    const udpSocket = createSocket('udp4');
    const tcpServer = createServer();
    const opened = Promise.all([once(udpSocket, 'listening'), once(tcpServer, 'listening')]);
    udpSocket.bind({ fd: udp.fd, exclusive: true });
    tcpServer.listen({ fd: tcp.fd, exclusive: true });
    try {
      await opened;
      this.#redirect(namespace, udp.port, tcp.port);
      return { udp: udpSocket, tcp: tcpServer };
    } catch (error) {
      udpSocket.close();
      tcpServer.close();
      throw error;
    }
  }

  #openBoth(namespace: string): readonly [udp: OpenSocket, tcp: OpenSocket] {
    return this.namespaces.runInNetwork(namespace, () => {
      const udp = this.sockets.bindUdp({ address, port: 0 });
      try {
        return [udp, this.sockets.listenTcp({ address, port: 0 })];
      } catch (error) {
        closeSync(udp.fd);
        throw error;
      }
    });
  }

  /**
   * Connection tracking translates the answers back. Existing rules are deleted only where there are any: after a
   * deletion, closing the session blocks for some 10 ms.
   */
  #redirect(namespace: string, udpPort: number, tcpPort: number): void {
    const rules = `
      table ip gantry_resolver {
        chain output {
          type nat hook output priority -100; policy accept;
          ip daddr ${address} udp dport 53 dnat to ${address}:${udpPort}
          ip daddr ${address} tcp dport 53 dnat to ${address}:${tcpPort}
        }
      }`;
    const session = this.nftables.open({ namespace });
    try {
      session.runSync(`create table ip gantry_resolver\n${rules}`);
    } catch (error) {
      if (!(error instanceof NftablesError && error.isPresent)) throw error;
      session.runSync(`delete table ip gantry_resolver\n${rules}`);
    } finally {
      session.close();
    }
  }
}
