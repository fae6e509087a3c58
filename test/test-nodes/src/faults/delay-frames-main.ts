// Passes frames on between two devices, each a while after it came: delay-frames-main.js DEVICE DEVICE MILLISECONDS. Writes a
// line when it does, and ends with its input.
import { spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** As large as a datagram, which carries one frame. */
const bufferSize = '65507';

interface Device {
  readonly socket: Socket;
  /** Where socat takes what is to be sent. */
  readonly port: number;
  /** Resolves when socat has ended. */
  end(): Promise<void>;
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

/** Node reads no frames: socat makes datagrams of them, and frames of datagrams. */
async function open(device: string): Promise<Device> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const port = await freePort();
  const datagrams = `UDP4-DATAGRAM:127.0.0.1:${socket.address().port},bind=127.0.0.1:${port}`;
  const socat = spawn('socat', ['-b', bufferSize, `INTERFACE:${device}`, datagrams], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(socat, 'spawn');
  return {
    socket,
    port,
    async end() {
      socket.close();
      const exit = once(socat, 'exit');
      socat.kill();
      await exit;
    },
  };
}

const [one = '', other = '', milliseconds] = process.argv.slice(2);
const [near, far] = await Promise.all([open(one), open(other)]);
let ended = false;
const ways: readonly (readonly [Device, Device])[] = [
  [near, far],
  [far, near],
];
for (const [from, to] of ways) {
  from.socket.on('message', (frame) => {
    setTimeout(() => ended || to.socket.send(frame, to.port, '127.0.0.1'), Number(milliseconds));
  });
}
process.stdout.write('ready\n');
for await (const _ of process.stdin);
ended = true;
await Promise.all([near.end(), far.end()]);
