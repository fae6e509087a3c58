import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runIn, startContainer } from '@gantry/host';
import { eventually } from '@gantry/test-nodes';
import { type DaemonUnderTest, needs } from './daemon-under-test.js';
import { OutsideWorld } from './outside-world.js';
import { askFromContainer, webServer } from './web-server.js';

/** What networks keep from each other and from other machines. */
export function isolationTests({ daemon }: DaemonUnderTest): void {
  test(
    'networks with IPv6 are kept apart, and from the outside only published ports answer',
    needs.hostNetwork,
    async () => {
      const { client } = daemon();
      const create = (Name: string, Subnet: string) =>
        client.createNetwork({ Name, EnableIPv6: true, IPAM: { Config: [{ Subnet }] } } as never);
      const networks = [await create('six-front', 'fd44:8::/64'), await create('six-back', 'fd44:9::/64')];
      const web = await startContainer(client, {
        Cmd: webServer,
        ExposedPorts: { '80/tcp': {} },
        HostConfig: { NetworkMode: 'six-front', PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
      });
      const other = await startContainer(client, { HostConfig: { NetworkMode: 'six-back' } });
      const outside = new OutsideWorld();
      try {
        const { Networks, Ports } = (await web.inspect()).NetworkSettings;
        const address = Networks['six-front']?.GlobalIPv6Address ?? '';
        const port = Ports['80/tcp']?.[0]?.HostPort ?? '';
        await eventually('an answer on the published port', async () => outside.ask(outside.host.v6, port));
        assert.equal(outside.ask(address, 80), undefined, 'the container itself');
        const fromOther = async (to: string, at: number | string) =>
          (await runIn(other, askFromContainer(to, at))).output;
        assert.equal(await fromOther(address, 80), '', 'the container itself, from another network');
        assert.equal(await fromOther(outside.host.v6, port), 'answered\n');
        // The gateway is found by neighbour discovery.
        const neighbours = await runIn(web, 'ping -6 -c 1 -W 20 fd44:8::1 > /dev/null; ip -6 neigh show fd44:8::1');
        assert.match(neighbours.output, /lladdr ([0-9a-f]{2}:){5}/);
      } finally {
        outside.remove();
      }
      await Promise.all([web.remove({ force: true }), other.remove({ force: true })]);
      for (const network of networks) await network.remove();
    },
  );
}
