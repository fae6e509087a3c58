import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** In milliseconds. Clients time out after five seconds. */
const totalTimeout = 4000;
/** After this long without an answer the next server is queried as well, in milliseconds. */
const nextServerDelay = 1000;
/** As many as a resolv.conf may list. */
const maxServers = 3;
const dnsPort = 53;

/** Sends one query to one server. @returns the answer as received; undefined when there is none. Never rejects. */
type Query = (message: Buffer, nameserver: string, signal: AbortSignal) => Promise<Buffer | undefined>;

/**
 * Forwards a query over UDP from the host's network: to the first server, and when that one fails, refuses or is slow,
 * to the next one too.
 * @returns the first good answer, else the first refusal; undefined when no server answered in time.
 */
export const forwardUdp = (message: Buffer, nameservers: readonly string[]): Promise<Buffer | undefined> =>
  forward(message, nameservers, queryUdp);

/** The same over TCP, for answers too long for a datagram. */
export const forwardTcp = (message: Buffer, nameservers: readonly string[]): Promise<Buffer | undefined> =>
  forward(message, nameservers, queryTcp);

async function forward(message: Buffer, nameservers: readonly string[], query: Query): Promise<Buffer | undefined> {
  const finished = new AbortController();
  const timer = setTimeout(() => finished.abort(), totalTimeout);
  let refusal: Buffer | undefined;
  let resolveAnswer: (answer: Buffer) => void = () => undefined;
  const answered = new Promise<Buffer>((resolve) => {
    resolveAnswer = resolve;
  });
  const queryOne = async (nameserver: string): Promise<void> => {
    const answer = await query(message, nameserver, finished.signal);
    if (answer === undefined) return;
    if (isRefusal(answer)) refusal ??= answer;
    else resolveAnswer(answer);
  };
  const queryAll = async (): Promise<undefined> => {
    const queries: Promise<void>[] = [];
    for (const nameserver of nameservers.slice(0, maxServers)) {
      if (finished.signal.aborted) break;
      const current = queryOne(nameserver);
      queries.push(current);
      const pause = delay(nextServerDelay, undefined, { signal: finished.signal }).catch(() => undefined);
      await Promise.race([current, pause]);
    }
    await Promise.all(queries);
    return undefined;
  };
  try {
    return (await Promise.race([answered, queryAll()])) ?? refusal;
  } finally {
    clearTimeout(timer);
    finished.abort();
  }
}

/** SERVFAIL, NOTIMP and REFUSED describe the server, not the name. */
const isRefusal = (message: Buffer): boolean => [2, 4, 5].includes((message[3] ?? 0) & 0xf);

const queryUdp: Query = (message, nameserver, signal) =>
  new Promise((resolve) => {
    const socket = createSocket(isIPv6(nameserver) ? 'udp6' : 'udp4');
    let isSettled = false;
    const settle = (answer: Buffer | undefined): void => {
      if (isSettled) return;
      isSettled = true;
      signal.removeEventListener('abort', fail);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(answer);
    };
    const fail = (): void => settle(undefined);
    signal.addEventListener('abort', fail);
    socket.once('error', fail);
    socket.on('message', (answer) => {
      // Any host can send a datagram here: only one with the id of the query is an answer.
      if (answer.length >= 12 && answer.readUInt16BE(0) === message.readUInt16BE(0)) settle(answer);
    });
    // Connected, so that only this server's datagrams arrive and a closed port fails at once. Without a route to the
    // server the callback gets an error and the socket stays unconnected.
    socket.connect(dnsPort, nameserver, (error?: Error) => {
      if (isSettled) return;
      if (error === undefined) socket.send(message, (failure) => failure && fail());
      else fail();
    });
  });

const queryTcp: Query = (message, nameserver, signal) =>
  new Promise((resolve) => {
    const socket = connect({ host: nameserver, port: dnsPort });
    let received = Buffer.alloc(0);
    const settle = (answer: Buffer | undefined): void => {
      signal.removeEventListener('abort', fail);
      socket.destroy();
      resolve(answer);
    };
    const fail = (): void => settle(undefined);
    signal.addEventListener('abort', fail);
    socket.on('error', fail);
    socket.once('end', fail);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length >= 2 ? received.readUInt16BE(0) : Number.POSITIVE_INFINITY;
      if (received.length >= length + 2) settle(received.subarray(2, length + 2));
    });
    socket.write(framed(message));
  });

/** DNS over TCP prefixes a message with its length. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
