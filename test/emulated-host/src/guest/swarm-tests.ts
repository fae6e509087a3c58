import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runIn, startContainer } from '@gantry/host';
import { managerDrivers, type SwarmNode, startNodes, startSwarmOf } from '@gantry/test-nodes';
import { needs, slowDeadlines } from './daemon-under-test.js';

const forAnHour = ['sleep', '3600'];

/** Two nodes of one swarm, a manager and a worker. They are removed with the test. */
async function startTwo(t: TestContext): Promise<readonly [SwarmNode, SwarmNode]> {
  const releases: (() => Promise<void> | void)[] = [];
  t.after(async () => {
    for (const release of releases.reverse()) await release();
  });
  const scope = { teardown: (release: () => Promise<void> | void) => void releases.push(release) };
  const drivers = { ...managerDrivers, 'runtime/runc': { deadlines: slowDeadlines } };
  const nodes = await startNodes(scope, 2, () => ({ drivers }));
  // A busy manager answers heartbeats late, and the connection ends when one takes as long as their period.
  await startSwarmOf(nodes, 1, 60_000);
  return nodes as [SwarmNode, SwarmNode];
}

/** Asks for ten minutes: two daemons and a store are slow in emulation. */
async function atLast<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + 600_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`not there in time: ${what}`);
    await delay(500);
  }
}

/** Counts what arrives at a node from others, before the kernel decrypts it. */
async function countArrivals(node: SwarmNode) {
  const rules = `table netdev seen {
    chain arrivals {
      type filter hook ingress device "eth0" priority 0; policy accept;
      ip protocol esp counter
      udp dport { 4789, 4790 } counter
    }
  }`;
  await node.run('nft', rules);
  return async (): Promise<{ readonly encrypted: number; readonly clear: number }> => {
    const shown = await node.run('nft', 'list', 'table', 'netdev', 'seen');
    const count = (rule: string): number => Number(new RegExp(`${rule} counter packets (\\d+)`).exec(shown)?.[1]);
    return { encrypted: count('ip protocol esp'), clear: count('udp dport \\{ 4789, 4790 \\}') };
  };
}

/** What nodes of a swarm do between them, and needs of the kernel. */
export function swarmTests(): void {
  test(
    'containers on two nodes talk over an encrypted network, and nothing passes in the clear',
    needs.swarm,
    async (t) => {
      const [manager, worker] = await startTwo(t);
      await manager.client.createNetwork({
        Name: 'secret',
        Driver: 'overlay',
        Attachable: true,
        Options: { encrypted: '' },
      } as never);
      const arrivals = await countArrivals(worker);
      const HostConfig = { NetworkMode: 'secret' };
      const asking = await startContainer(manager.client, { name: 'asking', Cmd: forAnHour, HostConfig });
      const asked = await startContainer(worker.client, { name: 'asked', Cmd: forAnHour, HostConfig });
      await atLast('an answer by name from the other node', async () => {
        return (await runIn(asking, 'ping -c 1 -W 5 asked')).code === 0;
      });
      const full = await runIn(asking, 'ping -c 3 -W 10 -s 1300 asked');
      assert.match(full.output, /3 packets received|3 received/);
      const { encrypted, clear } = await arrivals();
      assert.ok(encrypted >= 4, `${encrypted} packets of ESP`);
      assert.equal(clear, 0, 'in the clear');
      await Promise.all([asking.remove({ force: true }), asked.remove({ force: true })]);
    },
  );

  test('published ports show the addresses of clients, or /info says why they do not', needs.swarm, async (t) => {
    const [manager, worker] = await startTwo(t);
    const page =
      "mkdir -p /www/cgi-bin; printf '#!/bin/sh\\necho; echo $REMOTE_ADDR\\n' > /www/cgi-bin/who; " +
      'chmod +x /www/cgi-bin/who; httpd -f -h /www';
    await manager.client.createService({
      Name: 'who',
      TaskTemplate: {
        ContainerSpec: { Image: 'busybox', Command: ['sh', '-c', page] },
        Placement: { Constraints: ['node.role == manager'] },
      },
      EndpointSpec: { Ports: [{ Protocol: 'tcp', TargetPort: 80, PublishedPort: 8080 }] },
    } as never);
    const seen = (at: SwarmNode) => async () => {
      const url = `http://${at.address}:8080/cgi-bin/who`;
      const answer = worker.run('timeout', '20', 'busybox', 'wget', '-q', '-O', '-', url);
      return (await answer.catch(() => '')).trim().replace(/^\[::ffff:(.*)\]$/, '$1');
    };
    const address = await atLast('an answer from a task', async () => (await seen(manager)()) || undefined);
    const info = (await manager.client.info()) as { Swarm: { ClientAddresses?: string }; Warnings?: readonly string[] };
    t.diagnostic(`client addresses: ${info.Swarm.ClientAddresses}, ${address}; ${info.Warnings?.join('; ')}`);
    if (info.Swarm.ClientAddresses === 'kept') return assert.equal(address, worker.address);
    assert.match(address, /^10\.0\./);
    assert.ok(info.Warnings?.some((text) => text.includes('published ports')));
  });
}
