import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink, kernelSysctl } from '@gantry/lib-linux/netlink';
import { kernelSockets } from '@gantry/lib-linux/sockets';
import test, { type ExecutionContext } from 'ava';
import { tcp, udp } from '../testing/engine.js';
import { HostPorts } from './host-ports.js';
import { UdpPort } from './udp-port.js';

kernelNamespaces.leaveNetwork();
kernelNetlink.use(undefined, (socket) => socket.setLink('lo', { up: true }));

/** Holds a port and serves it at another. */
function serve(t: ExecutionContext, request: ReturnType<typeof tcp>, port: number): void {
  const held = new HostPorts(kernelSockets, kernelSysctl).reserve([request]);
  t.teardown(() => {
    for (const each of held) each.close();
  });
  for (const each of held) each.serve({ address: '127.0.0.1', port });
}

async function container(t: ExecutionContext, port: number, server: Server): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
}

test('each direction of a connection ends by itself', async (t) => {
  serve(t, tcp(2002, 2001), 2002);
  const echoAtTheEnd = createServer({ allowHalfOpen: true }, (socket) => {
    const said: Buffer[] = [];
    socket.on('data', (chunk) => said.push(chunk));
    socket.on('end', () => socket.end(Buffer.concat(said)));
  });
  await container(t, 2002, echoAtTheEnd);
  for (const address of ['127.0.0.1', '::1']) {
    const client = connect({ host: address, port: 2001, allowHalfOpen: true });
    const sent = Buffer.alloc(3_000_000, 'x');
    client.end(sent);
    t.true((await buffer(client)).equals(sent), address);
  }
});

test('a container that does not listen ends the connection', async (t) => {
  serve(t, tcp(2004, 2003), 2004);
  const client = connect(2003, '127.0.0.1');
  client.on('error', () => undefined);
  await once(client, 'close');
  t.pass();
});

test('releasing a port closes its connections', async (t) => {
  const held = new HostPorts(kernelSockets, kernelSysctl).reserve([tcp(2006, 2005, '127.0.0.1')]);
  for (const each of held) each.serve({ address: '127.0.0.1', port: 2006 });
  await container(
    t,
    2006,
    createServer((socket) => void socket.on('error', () => undefined)),
  );
  const client = connect(2005, '127.0.0.1');
  client.on('error', () => undefined);
  await once(client, 'connect');
  const ended = text(client).catch(() => '');
  for (const each of held) each.close();
  await ended;
  await t.throwsAsync(once(connect(2005, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
});

test('packets of two clients are kept apart', async (t) => {
  serve(t, udp(2008, 2007), 2008);
  const echo = createSocket('udp4');
  echo.on('message', (packet, { port, address }) => echo.send(`${packet} ${port}`, port, address));
  echo.bind(2008, '127.0.0.1');
  await once(echo, 'listening');
  t.teardown(() => echo.close());
  const ask = async (type: 'udp4' | 'udp6', word: string): Promise<string> => {
    const client = createSocket(type);
    client.send(word, 2007, type === 'udp4' ? '127.0.0.1' : '::1');
    const [answer] = (await once(client, 'message', { signal: AbortSignal.timeout(5000) })) as [Buffer];
    client.close();
    return answer.toString();
  };
  const [one = '', other = ''] = await Promise.all([ask('udp4', 'one'), ask('udp6', 'other')]);
  t.regex(one, /^one \d+$/);
  t.regex(other, /^other \d+$/);
  t.not(one.split(' ')[1], other.split(' ')[1]);
});

test('a datagram from port 0 is dropped, and the port keeps working', async (t) => {
  const published = { protocol: 'udp', containerPort: 2011, hostIp: '127.0.0.1', hostPort: 2012 } as const;
  const { fd } = kernelSockets.bindUdp({ address: '127.0.0.1', port: 2012 });
  const container = createSocket('udp4').bind(2011, '127.0.0.1');
  await once(container, 'listening');
  container.on('message', (packet, { port }) => container.send(packet, port, '127.0.0.1'));
  t.teardown(() => container.close());
  const port = new UdpPort(published, fd);
  t.teardown(() => port.close());
  port.serve({ address: '127.0.0.1', port: 2011 });
  port.relay(Buffer.from('spoofed'), { address: '127.0.0.1', port: 0, family: 'IPv4', size: 7 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const client = createSocket('udp4');
  t.teardown(() => client.close());
  client.send('hello', 2012, '127.0.0.1');
  const [answer] = await once(client, 'message');
  t.is(String(answer), 'hello');
});
