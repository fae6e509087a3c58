import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, isIPv6 } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { kernelSockets } from '@gantry/lib-linux/sockets';

const run = promisify(execFile);

/** What is not answered by then, in milliseconds, is not reached. Where many wait for a processor, all takes longer. */
export const trafficTimeout = (): number =>
  Math.round(1000 * Math.min(4, Math.max(1, (loadavg()[0] ?? 0) / cpus().length)));

/** Where something runs: a namespace, or the host. */
type Place = string | undefined;

/** Sends its word and the client's address to every client. @returns closes the server. */
export async function listenTcp(place: Place, port: number, word: string, address = '0.0.0.0'): Promise<() => void> {
  const { fd } = kernelSockets.listenTcp({ address, port, ...(place !== undefined && { namespace: place }) });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${word} ${plain(socket.remoteAddress)}`);
  });
  server.listen({ fd });
  await once(server, 'listening');
  return () => void server.close();
}

/** Answers every packet with its word and who asked. @returns ends it. */
export function listenUdp(
  place: Place,
  port: number,
  word: string,
  address = '0.0.0.0',
  onAsker: (address: string) => void = () => undefined,
): () => void {
  const { fd } = kernelSockets.bindUdp({ address, port, ...(place !== undefined && { namespace: place }) });
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  socket.on('message', (_, client) => {
    onAsker(plain(client.address));
    socket.send(`${word} ${plain(client.address)}`, client.port, client.address);
  });
  socket.bind({ fd });
  return () => void socket.close();
}

/** The answer of the server at an address; undefined without one. */
export async function askTcp(place: Place, address: string, port: number): Promise<string | undefined> {
  if (place === undefined) return askFromHere(address, port);
  const limit = trafficTimeout();
  const command = [`--net=${place}`, 'busybox', 'nc', '-w', `${Math.ceil(limit / 1000)}`, address, `${port}`];
  const result = await run('nsenter', command, { timeout: 2 * limit }).catch(() => ({ stdout: '' }));
  return result.stdout === '' ? undefined : result.stdout;
}

async function askFromHere(address: string, port: number): Promise<string | undefined> {
  const socket = connect(port, address);
  const timer = setTimeout(() => socket.destroy(), trafficTimeout());
  const answer = await text(socket).catch(() => '');
  clearTimeout(timer);
  return answer === '' ? undefined : answer;
}

export async function askUdp(place: Place, address: string, port: number): Promise<string | undefined> {
  const isV6 = isIPv6(address);
  const { fd } = kernelSockets.bindUdp({
    address: isV6 ? '::' : '0.0.0.0',
    port: 0,
    ...(place !== undefined && { namespace: place }),
  });
  const socket = createSocket(isV6 ? 'udp6' : 'udp4');
  socket.bind({ fd });
  try {
    const answer = once(socket, 'message', { signal: AbortSignal.timeout(trafficTimeout()) });
    socket.send('?', port, address);
    return String((await answer)[0]);
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

/** Runs a program in a place, to its end. */
export async function inside(place: Place, program: string, ...args: readonly string[]): Promise<string> {
  const command = place === undefined ? [program, ...args] : ['nsenter', `--net=${place}`, program, ...args];
  const [file = '', ...rest] = command;
  return (await run(file, rest)).stdout;
}

const plain = (address = ''): string => address.replace(/^::ffff:/, '');
