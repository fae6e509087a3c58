import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runIn, startContainer } from '@gantry/host';
import { eventually } from '@gantry/test-nodes';
import { refused } from '../emulated-hosts.js';
import { type DaemonUnderTest, isOrdinary, needs, outputOf } from './daemon-under-test.js';
import { run } from './run.js';
import { webServer } from './web-server.js';

/** A network of the client's own, with names and a published port. */
export function networkingTests({ daemon, get }: DaemonUnderTest): void {
  test('a published port, and names on a network', async () => {
    const { client } = daemon();
    const network = await client.createNetwork({ Name: 'emulated' });
    const web = await startContainer(client, {
      name: 'web',
      Cmd: webServer,
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { NetworkMode: 'emulated', PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
    });
    const port = (await web.inspect()).NetworkSettings.Ports['80/tcp']?.[0]?.HostPort;
    const answers = async () => (await get(`http://127.0.0.1:${port}/`)) === 'answered\n';
    await eventually('an answer on the published port', answers);
    const other = await startContainer(client, { HostConfig: { NetworkMode: 'emulated' } });
    assert.equal((await runIn(other, 'wget -q -O - http://web/')).output, 'answered\n');
    await Promise.all([web.remove({ force: true }), other.remove({ force: true })]);
    await network.remove();
  });

  test('a port published over IPv6, and the address of a network with IPv6', needs.hostNetwork, async () => {
    const { client } = daemon();
    const Config = [{ Subnet: 'fd44:7::/64' }];
    const network = await client.createNetwork({ Name: 'six', EnableIPv6: true, IPAM: { Config } } as never);
    const web = await startContainer(client, {
      Cmd: webServer,
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { NetworkMode: 'six', PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
    });
    const { Networks, Ports } = (await web.inspect()).NetworkSettings;
    const addresses = ['[::1]', '[fd44:7::1]'].map((host) => `${host}:${Ports['80/tcp']?.[0]?.HostPort}`);
    for (const address of [...addresses, `[${Networks.six?.GlobalIPv6Address}]`]) {
      await eventually(`an answer at ${address}`, async () => (await get(`http://${address}/`)) === 'answered\n');
    }
    await web.remove({ force: true });
    await network.remove();
  });

  test('an ipvlan network on an interface of the host, in each mode', needs.ipvlan, async (t) => {
    const { client } = daemon();
    if (isOrdinary) {
      await assert.rejects(client.createNetwork({ Name: 'sublinks', Driver: 'ipvlan' }), /ipvlan/);
      return t.skip(refused);
    }
    run('ip', 'link', 'add', 'uplink', 'type', 'veth', 'peer', 'name', 'downlink');
    try {
      for (const end of ['uplink', 'downlink']) run('ip', 'link', 'set', end, 'up');
      for (const ipvlan_mode of ['l2', 'l3', 'l3s']) {
        const network = await client.createNetwork({
          Name: 'sublinks',
          Driver: 'ipvlan',
          Options: { parent: 'uplink', ipvlan_mode },
          IPAM: { Config: [{ Subnet: '10.244.11.0/24', Gateway: '10.244.11.1' }] },
        });
        const HostConfig = { NetworkMode: 'sublinks' };
        const web = await startContainer(client, { Cmd: webServer, HostConfig });
        const { IPAddress, MacAddress } = (await web.inspect()).NetworkSettings.Networks.sublinks ?? {};
        assert.equal(MacAddress, '');
        const ask = `until wget -q -O - http://${IPAddress}/; do sleep 1; done; ip route | grep default`;
        const route = ipvlan_mode === 'l2' ? 'default via 10.244.11.1 dev eth0' : 'default dev eth0';
        assert.match(await outputOf(client, ask, { HostConfig }), new RegExp(`^answered\n${route}`));
        // The engine joins it again, with what it stored.
        await web.restart({ t: 0 });
        await web.remove({ force: true });
        await network.remove();
      }
    } finally {
      run('ip', 'link', 'delete', 'uplink');
    }
  });

  test('a published SCTP port', needs.sctp, async (t) => {
    const { client } = daemon();
    if (isOrdinary) {
      const wish = {
        ExposedPorts: { '7/sctp': {} },
        HostConfig: { PortBindings: { '7/sctp': [{ HostPort: '7007' }] } },
      };
      await assert.rejects(startContainer(client, wish), /sctp/i);
      const [container] = await client.listContainers({ all: true });
      await client.getContainer(container?.Id ?? '').remove();
      return t.skip(refused);
    }
    const network = await client.createNetwork({ Name: 'streams', IPAM: { Config: [{ Subnet: '10.244.9.0/24' }] } });
    const socket = 'import socket as s; c = s.socket(s.AF_INET, s.SOCK_STREAM, 132)';
    // It runs a program of the host's, which SELinux keeps from labelled containers.
    const unlabelled = ['label=disable'];
    const echo = `${socket}; c.bind(("", 7)); c.listen(); d, _ = c.accept(); d.sendall(b"over SCTP"); d.recv(1)`;
    const container = await startContainer(client, {
      Cmd: ['chroot', '/host', '/usr/bin/python3', '-c', echo],
      ExposedPorts: { '7/sctp': {} },
      HostConfig: {
        NetworkMode: 'streams',
        Binds: ['/:/host:ro'],
        SecurityOpt: unlabelled,
        PortBindings: { '7/sctp': [{ HostPort: '7007' }] },
      },
    });
    // From a container of another network: the host's own connections are not translated.
    const ask = `${socket}; c.settimeout(20); c.connect(("10.244.9.1", 7007)); print(c.recv(100).decode())`;
    const answer = await eventually('an answer over SCTP', async () => {
      const said = await outputOf(client, `chroot /host /usr/bin/python3 -c '${ask}'`, {
        HostConfig: { NetworkMode: 'bridge', Binds: ['/:/host:ro'], SecurityOpt: unlabelled },
      });
      return said === 'over SCTP' ? said : undefined;
    });
    assert.equal(answer, 'over SCTP');
    await container.remove({ force: true });
    await network.remove();
  });
}
