import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import test from 'ava';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { kernelNetlink } from '../netlink/kernel-netlink.js';
import { kernelNftables } from '../nftables/kernel-nftables.js';
import { kernelConntrack } from './kernel-conntrack.js';

test('forgotten connections meet the rules again, and others go on', async (t) => {
  kernelNamespaces.leaveNetwork();
  kernelNetlink.use(undefined, (socket) => socket.setLink('lo', { up: true }));
  const session = kernelNftables.open();
  t.teardown(() => session.close());
  const lead = (port: number, to: number) =>
    session.runSync(`
      table ip t
      delete table ip t
      table ip t {
        chain output {
          type nat hook output priority -100; policy accept;
          udp dport ${port} dnat to 127.0.0.1:${to}
        }
      }`);
  const answering = async (port: number) => {
    const socket = createSocket('udp4').bind(port, '127.0.0.1');
    socket.on('message', (_, client) => socket.send(`${port}`, client.port, client.address));
    await once(socket, 'listening');
    t.teardown(() => void socket.close());
  };
  await answering(1001);
  await answering(1002);
  lead(1000, 1001);
  const client = createSocket('udp4');
  t.teardown(() => void client.close());
  const ask = async (): Promise<string> => {
    client.send('?', 1000, '127.0.0.2');
    return String((await once(client, 'message', { signal: AbortSignal.timeout(5000) }))[0]);
  };
  t.is(await ask(), '1001');
  lead(1000, 1002);
  t.is(await ask(), '1001', 'what began goes on');
  const udp = { family: 'ipv4', protocol: 'udp' } as const;
  t.is(kernelConntrack.forget({ ...udp, answeredBy: '127.0.0.9' }), 0);
  t.is(kernelConntrack.forget({ ...udp, destinationPorts: new Set([999]) }), 0);
  t.is(kernelConntrack.forget({ ...udp, protocol: 'tcp', answeredBy: '127.0.0.1' }), 0);
  t.is(kernelConntrack.forget({ family: 'ipv6', protocol: 'udp' }), 0);
  t.is(await ask(), '1001');
  t.is(kernelConntrack.forget({ ...udp, answeredBy: '127.0.0.1', destinationPorts: new Set([1000]) }), 1);
  t.is(await ask(), '1002');
  t.is(kernelConntrack.forget({ ...udp, destinationPorts: new Set([999, 1000]) }), 1);
});
