import { setTimeout as delay } from 'node:timers/promises';
import type { Roles, SwarmNode } from '@gantry/test-nodes';
import type { Fault } from './fault.js';
import { createLarge, removeLarge } from './large-secrets.js';

type Choose = (roles: Roles) => readonly SwarmNode[];

/** In milliseconds. */
const slowest = 800;

const slowDown =
  (choose: Choose): Fault =>
  async ({ random, roles, swarm }) => {
    const ends = choose(roles).map((node) => swarm.diskOf(node).slowDown(100 + random.below(slowest - 100)));
    return async () => {
      await Promise.all(ends.map((end) => end()));
    };
  };

/** With many large changes meanwhile, for etcd has reserved its log in advance. */
const fill =
  (choose: Choose): Fault =>
  async ({ roles, swarm }) => {
    const disks = choose(roles).map((node) => swarm.diskOf(node));
    await Promise.all(disks.map((disk) => disk.fill()));
    let isEnded = false;
    const changing = Promise.all(
      swarm.managers.map(async (manager, index) => {
        while (!isEnded) {
          await changeMuch(manager, String(index)).catch(() => undefined); // there may be no majority
          await delay(50);
        }
      }),
    );
    return async () => {
      isEnded = true;
      await Promise.all(disks.map((disk) => disk.empty()));
      await changing;
      await removeLarge(swarm.managers);
    };
  };

/** A secret that comes and goes. */
async function changeMuch(manager: SwarmNode, name: string): Promise<void> {
  await manager.client.getSecret(await createLarge(manager, name)).remove();
}

const leader: Choose = (roles) => [roles.leader];
const follower: Choose = ({ followers: [first] }) => [first];
const followers: Choose = (roles) => roles.followers;
const managers: Choose = (roles) => [roles.leader, ...roles.followers];

/** Disks of managers on which every flush takes up to 0.8 s. */
export const slowDisks: Readonly<Record<string, Fault>> = {
  'slow disk of the leader': slowDown(leader),
  'slow disk of a follower': slowDown(follower),
  'slow disks of both followers': slowDown(followers),
  'slow disks of all managers': slowDown(managers),
};

/** Disks of managers without a free byte. */
export const fullDisks: Readonly<Record<string, Fault>> = {
  'full disk of the leader': fill(leader),
  'full disk of a follower': fill(follower),
  'full disks of both followers': fill(followers),
  'full disks of all managers': fill(managers),
};
