import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, runIn, startContainer } from '@gantry/host';
import { type DaemonUnderTest, needs, outputOf } from './daemon-under-test.js';

const server = ['sh', '-c', 'mkdir /www; echo answered > /www/index.html; exec httpd -f -p 80 -h /www'];

/** A network of the client's own, with names and a published port. */
export function networkingTests({ daemon }: DaemonUnderTest): void {
  test('a published port, and names on a network', async () => {
    const { client } = daemon();
    const network = await client.createNetwork({ Name: 'emulated' });
    const web = await startContainer(client, {
      name: 'web',
      Cmd: server,
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { NetworkMode: 'emulated', PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
    });
    const port = (await web.inspect()).NetworkSettings.Ports['80/tcp']?.[0]?.HostPort;
    await eventually('an answer on the published port', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      return (await answer?.text()) === 'answered\n';
    });
    const other = await startContainer(client, { HostConfig: { NetworkMode: 'emulated' } });
    assert.equal((await runIn(other, 'wget -q -O - http://web/')).output, 'answered\n');
    await Promise.all([web.remove({ force: true }), other.remove({ force: true })]);
    await network.remove();
  });

  test('a port published over IPv6, and the address of a network with IPv6', async () => {
    const { client } = daemon();
    const Config = [{ Subnet: 'fd44:7::/64' }];
    const network = await client.createNetwork({ Name: 'six', EnableIPv6: true, IPAM: { Config } } as never);
    const web = await startContainer(client, {
      Cmd: server,
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { NetworkMode: 'six', PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
    });
    const { Networks, Ports } = (await web.inspect()).NetworkSettings;
    const addresses = ['[::1]', '[fd44:7::1]'].map((host) => `${host}:${Ports['80/tcp']?.[0]?.HostPort}`);
    for (const address of [...addresses, `[${Networks.six?.GlobalIPv6Address}]`]) {
      await eventually(`an answer at ${address}`, async () => {
        const answer = await fetch(`http://${address}/`).catch(() => undefined);
        return (await answer?.text()) === 'answered\n';
      });
    }
    await web.remove({ force: true });
    await network.remove();
  });

  test('a published SCTP port', needs.sctp, async () => {
    const { client } = daemon();
    const network = await client.createNetwork({ Name: 'streams', IPAM: { Config: [{ Subnet: '10.244.9.0/24' }] } });
    const socket = 'import socket as s; c = s.socket(s.AF_INET, s.SOCK_STREAM, 132)';
    const echo = `${socket}; c.bind(("", 7)); c.listen(); d, _ = c.accept(); d.sendall(b"over SCTP"); d.recv(1)`;
    const container = await startContainer(client, {
      Cmd: ['chroot', '/host', '/usr/bin/python3', '-c', echo],
      ExposedPorts: { '7/sctp': {} },
      HostConfig: {
        NetworkMode: 'streams',
        Binds: ['/:/host:ro'],
        PortBindings: { '7/sctp': [{ HostPort: '7007' }] },
      },
    });
    // From a container of another network: the host's own connections are not translated.
    const ask = `${socket}; c.settimeout(20); c.connect(("10.244.9.1", 7007)); print(c.recv(100).decode())`;
    const answer = await eventually('an answer over SCTP', async () => {
      const said = await outputOf(client, `chroot /host /usr/bin/python3 -c '${ask}'`, {
        HostConfig: { NetworkMode: 'bridge', Binds: ['/:/host:ro'] },
      });
      return said === 'over SCTP' ? said : undefined;
    });
    assert.equal(answer, 'over SCTP');
    await container.remove({ force: true });
    await network.remove();
  });
}
