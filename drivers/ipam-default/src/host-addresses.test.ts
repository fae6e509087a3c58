import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import { formatAddress } from '@gantry/lib-network/subnet';
import test from 'ava';
import { HostAddresses } from './host-addresses.js';

test('routes, addresses and resolvers of the host are in the way, default routes are not', async (t) => {
  kernelNamespaces.leaveNetwork();
  kernelNetlink.use(undefined, (socket) => {
    socket.addLink({ kind: 'bridge', name: 'up0' });
    socket.addAddress('up0', '10.7.0.2/24');
    socket.setLink('up0', { up: true });
    socket.addRoute({ destination: '10.8.0.0/16', gateway: '10.7.0.1' });
    for (const destination of ['default', '0.0.0.0/1', '128.0.0.0/1'])
      socket.addRoute({ destination, gateway: '10.7.0.1' });
  });
  const directory = await mkdtemp(join(tmpdir(), 'gantry-ipam-'));
  t.teardown(() => rm(directory, { recursive: true }));
  await writeFile(
    join(directory, 'resolv.conf'),
    '# nameserver 9.9.9.9\nnameserver 10.9.0.53\nnameserver fe80::1%eth0\n',
  );
  const blocks = await new HostAddresses(kernelNetlink).read(join(directory, 'resolv.conf'));
  const ipv4 = blocks.filter(({ family }) => family === 'ipv4');
  const starts = new Set(
    ipv4.map(({ first, last }) => `${formatAddress('ipv4', first)}-${formatAddress('ipv4', last)}`),
  );
  for (const range of ['10.7.0.0-10.7.0.255', '10.8.0.0-10.8.255.255', '10.9.0.53-10.9.0.53'])
    t.true(starts.has(range), range);
  t.false(ipv4.some(({ first }) => first === 0n));
  t.true(blocks.some(({ family, first }) => family === 'ipv6' && formatAddress('ipv6', first) === 'fe80::1'));
});
