import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** All of it in milliseconds: clients give up after five seconds. */
const patience = { total: 4000, untilNext: 1000 };
/** As many as a resolv.conf names. */
const mostServers = 3;
const port = 53;

/** Asks one server. @returns the answer as it came; undefined when there will be none. */
type Ask = (message: Buffer, nameserver: string, signal: AbortSignal) => Promise<Buffer | undefined>;

/**
 * Asks name servers over UDP, from the host's own network: the first one, and when it fails, says that it cannot tell,
 * or takes its time, the next one too.
 * @returns the first good answer; undefined when nobody answered in time.
 */
export const forwardUdp = (message: Buffer, nameservers: readonly string[]): Promise<Buffer | undefined> =>
  forward(message, nameservers, askUdp);

/** The same over TCP, for answers too long for a datagram. */
export const forwardTcp = (message: Buffer, nameservers: readonly string[]): Promise<Buffer | undefined> =>
  forward(message, nameservers, askTcp);

async function forward(message: Buffer, nameservers: readonly string[], ask: Ask): Promise<Buffer | undefined> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), patience.total);
  let refused: Buffer | undefined;
  let settle: (answer: Buffer) => void = () => undefined;
  const answered = new Promise<Buffer>((resolve) => {
    settle = resolve;
  });
  const tryOne = async (nameserver: string): Promise<void> => {
    const answer = await ask(message, nameserver, end.signal);
    if (answer === undefined) return;
    if (isAnswer(answer)) settle(answer);
    else refused ??= answer;
  };
  const all: Promise<void>[] = [];
  const askAll = async (): Promise<undefined> => {
    for (const nameserver of nameservers.slice(0, mostServers)) {
      if (end.signal.aborted) break;
      const one = tryOne(nameserver);
      all.push(one);
      await Promise.race([one, delay(patience.untilNext, undefined, { signal: end.signal }).catch(() => undefined)]);
    }
    await Promise.all(all);
    return undefined;
  };
  try {
    return (await Promise.race([answered, askAll()])) ?? refused;
  } finally {
    clearTimeout(timer);
    end.abort();
  }
}

/** SERVFAIL, NOTIMP and REFUSED speak of the server, not of the name. */
const isAnswer = (message: Buffer): boolean => ![2, 4, 5].includes((message[3] ?? 0) & 0xf);

const askUdp: Ask = (message, nameserver, signal) =>
  new Promise((resolve) => {
    const socket = createSocket(isIPv6(nameserver) ? 'udp6' : 'udp4');
    const settle = (answer: Buffer | undefined): void => {
      signal.removeEventListener('abort', giveUp);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(answer);
    };
    const giveUp = (): void => settle(undefined);
    signal.addEventListener('abort', giveUp);
    socket.once('error', giveUp);
    socket.on('message', (answer) => {
      // Only what answers this very question: anyone can send a datagram here.
      if (answer.length >= 12 && answer.readUInt16BE(0) === message.readUInt16BE(0)) settle(answer);
    });
    // Connected, so that only this server's datagrams are taken and a closed port fails at once.
    socket.connect(port, nameserver, () => socket.send(message));
  });

const askTcp: Ask = (message, nameserver, signal) =>
  new Promise((resolve) => {
    const socket = connect({ host: nameserver, port });
    let received = Buffer.alloc(0);
    const settle = (answer: Buffer | undefined): void => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = (): void => settle(undefined);
    signal.addEventListener('abort', giveUp);
    socket.on('error', giveUp);
    socket.once('end', giveUp);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length >= 2 ? received.readUInt16BE(0) : Number.POSITIVE_INFINITY;
      if (received.length >= length + 2) settle(received.subarray(2, length + 2));
    });
    socket.write(framed(message));
  });

/** DNS over TCP puts the length in front. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
