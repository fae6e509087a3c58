import { rm } from 'node:fs/promises';
import path from 'node:path';
import { eventually, joinThrough, type ListedNode, type SwarmNode } from '@gantry/test-nodes';
import type { Random } from '../soak/random.js';
import type { ChaosSwarm } from './chaos-swarm.js';

/** Which manager is left when the two others are lost with their disks. */
interface LostQuorum {
  readonly survivor: SwarmNode;
  /** The swarm goes on, with new managers in place of the lost ones: as in docs/recovery.md. */
  recover(): Promise<void>;
}

/** Two managers are lost at once, with everything that they have stored. */
export async function loseQuorum({ managers }: ChaosSwarm, random: Random): Promise<LostQuorum> {
  const survivor = random.one(managers);
  const lost = managers.filter((manager) => manager !== survivor);
  const ids = await Promise.all(lost.map(({ client }) => nodeIdOf(client)));
  await Promise.all(lost.map((node) => node.kill()));
  await Promise.all(lost.map((node) => loseData(node)));
  return {
    survivor,
    async recover() {
      await survivor.client.swarmInit({
        ForceNewCluster: true,
        ListenAddr: '0.0.0.0:2377',
        AdvertiseAddr: survivor.address,
      });
      for (const node of lost) {
        await node.daemon.restart();
        await joinThrough(survivor, node, 'Manager');
      }
      for (const id of ids) await removeNode(survivor, id);
    },
  };
}

const nodeIdOf = async (client: SwarmNode['client']): Promise<string> =>
  ((await client.info()) as { readonly Swarm: { readonly NodeID: string } }).Swarm.NodeID;

/** The host that takes its place has nothing of it: neither its files, nor links and rules of its networks. */
async function loseData(node: SwarmNode): Promise<void> {
  await rm(path.join(node.daemon.directory, 'data'), { recursive: true, force: true });
  const links = JSON.parse(await node.run('ip', '-j', 'link')) as readonly { readonly ifname: string }[];
  for (const { ifname } of links) {
    // A link may have gone with the one before, its other end.
    if (ifname !== 'lo' && ifname !== 'eth0') await node.run('ip', 'link', 'delete', ifname).catch(() => undefined);
  }
  await node.run('nft', 'flush', 'ruleset');
}

/** A node is down only when it has missed its heartbeats, and is not removed before without force. */
const removeNode = ({ client }: SwarmNode, id: string): Promise<boolean> =>
  eventually(`the removal of ${id}`, async () => {
    const listed = (await client.listNodes().catch(() => undefined)) as unknown as readonly ListedNode[] | undefined;
    if (listed === undefined) return false;
    if (!listed.some(({ ID }) => ID === id)) return true;
    return client
      .getNode(id)
      .remove({ force: true })
      .then(
        () => true,
        () => false, // the leader has changed, or the record
      );
  });
