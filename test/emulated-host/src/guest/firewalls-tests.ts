import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { runIn, startContainer } from '@gantry/host';
import { eventually } from '@gantry/test-nodes';
import type Docker from 'dockerode';
import { type DaemonUnderTest, needs } from './daemon-under-test.js';
import { OutsideWorld } from './outside-world.js';
import { run } from './run.js';
import { systemctl } from './systemctl.js';
import { askFromContainer, webServer } from './web-server.js';

/** What the installation of iptables does: its programs have names of the kind, and are alternatives of the usual ones. */
async function linkIptables(): Promise<void> {
  for (const family of ['iptables', 'ip6tables']) {
    for (const verb of ['', '-restore', '-save']) {
      const link = `/usr/sbin/${family}${verb}`;
      if (!existsSync(link)) await symlink(`${family}-nft${verb}`, link);
    }
  }
}

/** A server on one network with a published port, a container of another network, and another machine. */
class FirewalledHost {
  private constructor(
    readonly outside: OutsideWorld,
    private readonly web: Docker.Container,
    private readonly other: Docker.Container,
    private readonly networks: readonly Docker.Network[],
    private readonly port: string,
    private readonly address: string,
  ) {}

  static async start(client: Docker): Promise<FirewalledHost> {
    const outside = new OutsideWorld();
    const networks = await Promise.all(['front', 'back'].map((Name) => client.createNetwork({ Name })));
    const web = await startContainer(client, {
      Cmd: webServer,
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { NetworkMode: 'front', PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
    });
    const other = await startContainer(client, { Cmd: ['sleep', '86400'], HostConfig: { NetworkMode: 'back' } });
    const { Ports, Networks } = (await web.inspect()).NetworkSettings;
    const port = Ports['80/tcp']?.[0]?.HostPort ?? '';
    return new FirewalledHost(outside, web, other, networks, port, Networks.front?.IPAddress ?? '');
  }

  /** Bridges of the two networks. */
  get bridges(): readonly string[] {
    return this.networks.map(({ id }) => `br-${id.slice(0, 12)}`);
  }

  /** What each asks for, and whether an answer came. */
  async reachability(): Promise<Readonly<Record<string, boolean>>> {
    const { host, address } = this.outside;
    const answers = (text: string | undefined) => text?.trim() === 'answered';
    const fromOther = async (to: string, path: string) =>
      (await runIn(this.other, askFromContainer(to, 80, path))).output;
    const local = await fetch(`http://127.0.0.1:${this.port}/`)
      .then((answer) => answer.text())
      .catch(() => undefined);
    return {
      'the host asks the published port': answers(local),
      'the outside asks the published port': answers(this.outside.ask(host.v4, this.port)),
      'the outside asks the container itself': answers(this.outside.ask(this.address, 80)),
      'another network asks the container itself': answers(await fromOther(this.address, '/')),
      'a container asks the outside': /^\d/.test(await fromOther(address.v4, '/pid_max')),
    };
  }

  /** Asks more than once: on a slow host an answer that is on its way may not come in time. */
  async assertReachability(expected: Readonly<Record<string, boolean>>, when: string): Promise<void> {
    let found = await this.reachability();
    for (let attempt = 1; attempt < 4 && !isDeepStrictEqual(found, expected); attempt++)
      found = await this.reachability();
    assert.deepEqual(found, expected, when);
  }

  async remove(): Promise<void> {
    await Promise.all([this.web.remove({ force: true }), this.other.remove({ force: true })]);
    await Promise.all(this.networks.map((network) => network.remove()));
    this.outside.remove();
  }
}

const open = {
  'the host asks the published port': true,
  'the outside asks the published port': true,
  'the outside asks the container itself': false,
  'another network asks the container itself': false,
  'a container asks the outside': true,
};

/** Firewalls of distributions beside the engine's own table. */
export function firewallsTests({ daemon }: DaemonUnderTest): void {
  test('firewalld: ports answer and networks stay apart, also after a reload', needs.firewalld, async () => {
    const host = await FirewalledHost.start(daemon().client);
    try {
      await eventually('the server', async () => (await host.reachability())['the host asks the published port']);
      await host.assertReachability(open, 'without a firewall');
      // What its installation does: without it polkit knows none of its actions.
      const actions = '/usr/share/polkit-1/actions/org.fedoraproject.FirewallD1';
      await cp(`${actions}.server.policy.choice`, `${actions}.policy`);
      systemctl('start', 'firewalld.service');
      const closed = { ...open, 'a container asks the outside': false };
      await host.assertReachability(closed, 'firewalld forwards published ports only');
      for (const bridge of host.bridges) {
        run('firewall-cmd', '--permanent', '--zone=trusted', `--add-interface=${bridge}`);
      }
      // Not with firewall-cmd, which waits no longer than D-Bus does.
      systemctl('reload', 'firewalld.service');
      await host.assertReachability(open, 'after a reload, with the bridges in a zone of their own');
    } finally {
      systemctl('stop', 'firewalld.service');
      await host.remove();
    }
  });

  test('ufw: ports answer once routes are allowed, and networks stay apart', needs.ufw, async () => {
    // What its installation does.
    await cp('/usr/share/ufw/iptables', '/etc/ufw', { recursive: true });
    await cp('/usr/share/ufw/ufw.conf', '/etc/ufw/ufw.conf');
    await linkIptables();
    const host = await FirewalledHost.start(daemon().client);
    try {
      await eventually('the server', async () => (await host.reachability())['the host asks the published port']);
      run('ufw', '--force', 'enable');
      const closed = { ...open, 'the outside asks the published port': false, 'a container asks the outside': false };
      await host.assertReachability(closed, 'ufw forwards nothing');
      for (const direction of ['in', 'out']) run('ufw', 'route', 'allow', direction, 'on', 'br-+');
      await host.assertReachability(open, 'with routes allowed');
      run('ufw', 'reload');
      await host.assertReachability(open, 'after a reload');
    } finally {
      try {
        run('ufw', '--force', 'disable');
      } finally {
        await host.remove();
      }
    }
  });
}
