import { rm } from 'node:fs/promises';
import path from 'node:path';
import { joinThrough, type ListedNode, type Roles, type SwarmNode } from '@gantry/test-nodes';
import type { Random } from '../soak/random.js';
import type { ChaosSwarm } from './chaos-swarm.js';
import type { Fault } from './fault.js';
import { throughAny } from './through-any.js';

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
  const ids = await Promise.all(lost.map(nodeIdOf));
  await Promise.all(lost.map((node) => node.kill()));
  await Promise.all(lost.map(loseData));
  return {
    survivor,
    async recover() {
      await survivor.client.swarmInit({
        ForceNewCluster: true,
        ListenAddr: '0.0.0.0:2377',
        AdvertiseAddr: survivor.address,
      });
      for (const id of ids) await removeNode([survivor], id);
      for (const node of lost) await joinAnew([survivor], node);
    },
  };
}

/** One manager is lost with everything that it has stored, and a new one takes its place: as in docs/recovery.md. */
export const loseManager =
  (choose: (roles: Roles) => SwarmNode): Fault =>
  async ({ roles, swarm }) => {
    const lost = choose(roles);
    const others = swarm.managers.filter((manager) => manager !== lost);
    const id = await nodeIdOf(lost);
    await lost.kill();
    await loseData(lost);
    return async () => {
      await demote(others, id);
      await removeNode(others, id);
      await joinAnew(others, lost);
    };
  };

const nodeIdOf = async ({ client }: SwarmNode): Promise<string> =>
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

const listedAs = async ({ client }: SwarmNode, id: string): Promise<ListedNode | undefined> =>
  ((await client.listNodes()) as unknown as readonly ListedNode[]).find(({ ID }) => ID === id);

const demote = (managers: readonly SwarmNode[], id: string): Promise<void> =>
  throughAny(`the demotion of ${id}`, managers, async (manager) => {
    const listed = await listedAs(manager, id);
    if (listed === undefined) throw new Error('it is not listed');
    const worker = { ...listed.Spec, Role: 'worker', version: listed.Version.Index };
    if (listed.Spec.Role === 'manager') await manager.client.getNode(id).update(worker);
  });

/** Refused until it is no member of the store any more, as long as it is one. */
const removeNode = (managers: readonly SwarmNode[], id: string): Promise<void> =>
  throughAny(`the removal of ${id}`, managers, async (manager) => {
    // An answer to an earlier attempt may have been lost.
    if ((await listedAs(manager, id)) !== undefined) await manager.client.getNode(id).remove({ force: true });
  });

async function joinAnew(managers: readonly SwarmNode[], node: SwarmNode): Promise<void> {
  await node.daemon.restart();
  await throughAny(`the join of ${node.address}`, managers, async (manager) => {
    if ((await nodeIdOf(node)) === '') await joinThrough(manager, node, 'Manager');
  });
}
