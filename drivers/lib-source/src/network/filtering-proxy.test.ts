import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import test from 'ava';
import { FilteringProxy } from './filtering-proxy.js';
import { isPublicAddress } from './is-public-address.js';

test('loopback, link-local, private, multicast and tunnel addresses are not public', (t) => {
  const inside = `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1
    224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 fe80::1 fc00::1 fd00:ec2::254 ff02::1
    2002:7f00:1:: 2001:db8::1 2001::1 nonsense 127.1`;
  for (const address of inside.split(/\s+/)) t.false(isPublicAddress(address), address);
  for (const address of ['8.8.8.8', '172.32.0.1', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::200e']) {
    t.true(isPublicAddress(address), address);
  }
});

test('the proxy serves only clients with its secret', async (t) => {
  const proxy = await FilteringProxy.open({ allowDestination: () => true }, () => undefined);
  t.teardown(() => proxy.close());
  const target = createServer((socket) => socket.end('open')).listen(0, '127.0.0.1');
  await once(target, 'listening');
  t.teardown(() => void target.close());
  const port = String((target.address() as { port: number }).port);
  const request = async (secret: string): Promise<string> => {
    const socket = connect(proxy.port, '127.0.0.1');
    const token = Buffer.from(`${proxy.user}:${secret}`).toString('base64');
    socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nProxy-Authorization: Basic ${token}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString();
    return text;
  };
  t.regex(await request('guess'), /^HTTP\/1.1 407 /);
  t.regex(await request(proxy.secret), /^HTTP\/1.1 200 [\s\S]*open$/);
});
