import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';

/** How long one name server may take, in milliseconds; a client's own limit is usually five seconds for all. */
const patience = 2000;

const port = 53;

/**
 * Asks name servers one after the other over UDP, from the host's own network.
 * @returns the first answer as it came, undefined when nobody answered in time.
 */
export async function forwardUdp(message: Buffer, nameservers: readonly string[]): Promise<Buffer | undefined> {
  for (const nameserver of nameservers.slice(0, 3)) {
    const answer = await askUdp(message, nameserver);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** The same over TCP, for answers too long for a datagram. */
export async function forwardTcp(message: Buffer, nameservers: readonly string[]): Promise<Buffer | undefined> {
  for (const nameserver of nameservers.slice(0, 3)) {
    const answer = await askTcp(message, nameserver);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function askUdp(message: Buffer, nameserver: string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(nameserver) ? 'udp6' : 'udp4');
    const settle = (answer: Buffer | undefined): void => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(undefined), patience);
    socket.once('error', () => settle(undefined));
    socket.on('message', (answer) => {
      // Only what answers this very question: anyone can send a datagram here.
      if (answer.length >= 12 && answer.readUInt16BE(0) === message.readUInt16BE(0)) settle(answer);
    });
    // Connected, so that only this server's datagrams are taken and a closed port fails at once.
    socket.connect(port, nameserver, () => socket.send(message));
  });
}

function askTcp(message: Buffer, nameserver: string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: nameserver, port, timeout: patience });
    let received = Buffer.alloc(0);
    const settle = (answer: Buffer | undefined): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('error', () => settle(undefined));
    socket.once('timeout', () => settle(undefined));
    socket.once('end', () => settle(undefined));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length >= 2 ? received.readUInt16BE(0) : Number.POSITIVE_INFINITY;
      if (received.length >= length + 2) settle(received.subarray(2, length + 2));
    });
    socket.write(framed(message));
  });
}

/** DNS over TCP puts the length in front. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
