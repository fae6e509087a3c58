import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNftables, NftablesError } from '@gantry/lib-linux/nftables';
import { kernelSockets, type OpenSocket } from '@gantry/lib-linux/sockets';

/** What the resolv.conf of a sandbox names. */
const address = '127.0.0.11';

export interface ResolverSockets {
  readonly udp: DatagramSocket;
  readonly tcp: Server;
}

/**
 * Sockets made in a namespace, on ports of the kernel's choice, so that port 53 stays free for programs in there which
 * bind it on every address. Rules in the namespace lead from 53 to them; those of an earlier daemon are replaced.
 */
export async function openResolver(namespace: string): Promise<ResolverSockets> {
  const [udp, tcp] = openBoth(namespace);
  const udpSocket = createSocket('udp4');
  const tcpServer = createServer();
  const opened = Promise.all([once(udpSocket, 'listening'), once(tcpServer, 'listening')]);
  udpSocket.bind({ fd: udp.fd, exclusive: true });
  tcpServer.listen({ fd: tcp.fd, exclusive: true });
  try {
    await opened;
    leadTo(namespace, udp.port, tcp.port);
    return { udp: udpSocket, tcp: tcpServer };
  } catch (error) {
    udpSocket.close();
    tcpServer.close();
    throw error;
  }
}

function openBoth(namespace: string): readonly [udp: OpenSocket, tcp: OpenSocket] {
  return kernelNamespaces.runInNetwork(namespace, () => {
    const udp = kernelSockets.bindUdp({ address, port: 0 });
    try {
      return [udp, kernelSockets.listenTcp({ address, port: 0 })];
    } catch (error) {
      closeSync(udp.fd);
      throw error;
    }
  });
}

/**
 * Answers find their way back by connection tracking. The rules of an earlier daemon are deleted only where there are
 * some: after a deletion the kernel makes whoever closes the session wait for some 10 ms.
 */
function leadTo(namespace: string, udpPort: number, tcpPort: number): void {
  const rules = `
    table ip gantry_resolver {
      chain output {
        type nat hook output priority -100; policy accept;
        ip daddr ${address} udp dport 53 dnat to ${address}:${udpPort}
        ip daddr ${address} tcp dport 53 dnat to ${address}:${tcpPort}
      }
    }`;
  const session = kernelNftables.open({ namespace });
  try {
    session.runSync(`create table ip gantry_resolver\n${rules}`);
  } catch (error) {
    if (!(error instanceof NftablesError && error.isPresent)) throw error;
    session.runSync(`delete table ip gantry_resolver\n${rules}`);
  } finally {
    session.close();
  }
}
