import { spawn } from 'node:child_process';
import { once } from 'node:events';

const echo = `
  const socket = require('node:dgram').createSocket('udp4');
  socket.on('message', (text, { address, port }) => socket.send(String(text) === 'who' ? address : text, port, address));
  socket.bind(Number(process.argv[1]), () => console.log('listening'));
`;

/** Answers packets in the network of a process with what they hold, and `who` with the address of its sender, as no program of the starter image does. @returns ends it. */
export async function startUdpEcho(pid: number, port: number): Promise<() => Promise<void>> {
  const args = [`--net=/proc/${pid}/ns/net`, process.execPath, '-e', echo, String(port)];
  const child = spawn('nsenter', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return async () => {
    child.kill();
    await once(child, 'close');
  };
}

const asking = `
  const socket = require('node:dgram').createSocket('udp4');
  const [text, port, address] = process.argv.slice(1);
  socket.on('message', (answer) => { console.log(String(answer)); socket.close(); });
  socket.send(text, Number(port), address);
  setTimeout(() => process.exit(), 5000).unref();
`;

/** The arguments of a program that sends one packet and prints the answer. */
export const udpQuestion = (text: string, port: number, address: string): readonly [string, ...string[]] => [
  process.execPath,
  '-e',
  asking,
  text,
  String(port),
  address,
];
