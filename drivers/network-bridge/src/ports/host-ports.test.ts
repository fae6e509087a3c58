import { once } from 'node:events';
import { createServer } from 'node:net';
import { throws } from '@gantry/conformance';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink, kernelSysctl } from '@gantry/lib-linux/netlink';
import { kernelSockets } from '@gantry/lib-linux/sockets';
import test from 'ava';
import { tcp, udp } from '../testing/engine.js';
import type { HeldPort } from './held-port.js';
import { HostPorts } from './host-ports.js';

kernelNamespaces.leaveNetwork();
kernelNetlink.use(undefined, (socket) => socket.setLink('lo', { up: true }));
kernelSysctl.write('net/ipv4/ip_local_port_range', '40000 40003');

const printed = (ports: readonly HeldPort[]): string[] =>
  ports.map(({ published }) => `${published.protocol} ${published.hostIp} ${published.hostPort}`);

const close = (ports: readonly HeldPort[]): void => {
  for (const port of ports) port.close();
};

test('a port is held on every address, IPv4 and IPv6, or on the one that is named', (t) => {
  const ports = new HostPorts(kernelSockets, kernelSysctl);
  const every = ports.reserve([tcp(80, 1001), udp(80, 1001)]);
  t.deepEqual(printed(every), ['tcp 0.0.0.0 1001', 'tcp :: 1001', 'udp 0.0.0.0 1001', 'udp :: 1001']);
  const named = ports.reserve([tcp(80, 1002, '127.0.0.1'), tcp(80, 1002, '::1')]);
  t.deepEqual(printed(named), ['tcp 127.0.0.1 1002', 'tcp ::1 1002']);
  const preset = ports.reserve([tcp(80, 1003), tcp(80, 1004, '0.0.0.0')], '127.0.0.1');
  t.deepEqual(printed(preset), ['tcp 127.0.0.1 1003', 'tcp 0.0.0.0 1004']);
  close([...every, ...named, ...preset]);
});

test('a port in use is a conflict, and nothing of the request stays reserved', async (t) => {
  const ports = new HostPorts(kernelSockets, kernelSysctl);
  const held = ports.reserve([tcp(80, 1010), udp(80, 1010), { ...tcp(80, 1010), protocol: 'sctp' }]);
  for (const [request, address] of [
    [tcp(81, 1010), '0.0.0.0'],
    [udp(81, 1010), '0.0.0.0'],
    [{ ...tcp(81, 1010), protocol: 'sctp' } as const, '0.0.0.0'],
    [tcp(81, 1010, '127.0.0.1'), '127.0.0.1'],
    [udp(81, 1010, '127.0.0.1'), '127.0.0.1'],
    [tcp(81, 1010, '::1'), '[::1]'],
  ] as const) {
    const error = throws(t, () => ports.reserve([tcp(80, 1011), request]), 'conflict');
    t.is(error.message, `Bind for ${address}:1010 failed: port is already allocated`);
  }
  close(held);
  const other = createServer().listen(1012, '127.0.0.1');
  await once(other, 'listening');
  const refusal = { message: 'Bind for 0.0.0.0:1012 failed: port is already allocated' };
  t.throws(() => ports.reserve([tcp(80, 1012)]), refusal);
  other.close();
  close(ports.reserve([tcp(80, 1010), tcp(80, 1011)]));
});

test('a range gives its first free port, and is a conflict when it has none', (t) => {
  const ports = new HostPorts(kernelSockets, kernelSysctl);
  const range = { ...tcp(80, 1020), hostPortEnd: 1021 };
  const first = ports.reserve([range]);
  const second = ports.reserve([range]);
  t.deepEqual(printed(first), ['tcp 0.0.0.0 1020', 'tcp :: 1020']);
  t.deepEqual(printed(second), ['tcp 0.0.0.0 1021', 'tcp :: 1021']);
  t.throws(() => ports.reserve([range]), { message: 'Bind for 0.0.0.0:1020-1021 failed: port is already allocated' });
  close([...first, ...second]);
});

test.serial('ephemeral ports cycle through the range', (t) => {
  const ports = new HostPorts(kernelSockets, kernelSysctl);
  const next = (): number => {
    const held = ports.reserve([tcp(80)]);
    close(held);
    return held[0]?.published.hostPort ?? 0;
  };
  t.deepEqual([next(), next(), next(), next(), next()], [40000, 40001, 40002, 40003, 40000]);
  const all = ports.reserve([tcp(80), tcp(80), tcp(80), tcp(80)]);
  t.throws(() => ports.reserve([tcp(80)]), { message: 'all ports are allocated' });
  close(all);
});

test('what can be no port or address of the host is refused', (t) => {
  const ports = new HostPorts(kernelSockets, kernelSysctl);
  throws(t, () => ports.reserve([tcp(80, 70000)]), 'invalid-argument', /70000/);
  throws(t, () => ports.reserve([tcp(80, 1030, 'localhost')]), 'invalid-argument', /localhost/);
  const error = throws(t, () => ports.reserve([tcp(80, 1030, '203.0.113.9')]), 'invalid-argument');
  t.is(error.message, 'Bind for 203.0.113.9:1030 failed: cannot assign requested address');
});

test('a port is reclaimed after a restart unless another program has bound it', (t) => {
  const ports = new HostPorts(kernelSockets, kernelSysctl);
  const published = { protocol: 'tcp', containerPort: 80, hostIp: '0.0.0.0', hostPort: 1040 } as const;
  const held = ports.reclaim(published);
  t.is(ports.reclaim(published), undefined);
  held?.close();
  ports.reclaim(published)?.close();
});
