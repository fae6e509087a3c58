import { setTimeout as delay } from 'node:timers/promises';
import type { Roles, SwarmNode } from '@gantry/test-nodes';
import type { Fault } from './fault.js';
import { loseManager } from './lost-managers.js';

type Choose = (roles: Roles) => readonly SwarmNode[];

const leader: Choose = (roles) => [roles.leader];
const follower: Choose = ({ followers: [first] }) => [first];
const worker: Choose = ({ workers: [first] }) => [first];
const managers: Choose = (roles) => [roles.leader, ...roles.followers];

const restart = (nodes: readonly SwarmNode[]) => async () => {
  await Promise.all(nodes.map(({ daemon }) => daemon.restart()));
};

/** They die as by `kill -9`, etcd with them; their containers live. */
const killDaemons =
  (choose: Choose): Fault =>
  async ({ roles }) => {
    const nodes = choose(roles);
    await Promise.all(nodes.map(({ daemon }) => daemon.crash()));
    return restart(nodes);
  };

/** Everything that runs on them dies. */
const killHosts =
  (choose: Choose): Fault =>
  async ({ roles }) => {
    const nodes = choose(roles);
    await Promise.all(nodes.map((node) => node.kill()));
    return restart(nodes);
  };

const killStores =
  (choose: Choose): Fault =>
  async ({ roles }) => {
    await Promise.all(choose(roles).map((node) => node.killStore()));
    return async () => undefined;
  };

/** Also while it starts, until the fault ends. */
const killStoresRepeatedly =
  (choose: Choose): Fault =>
  async ({ random, roles }) => {
    let isEnded = false;
    const killing = Promise.all(
      choose(roles).map(async (node) => {
        while (!isEnded) {
          await node.killStore().catch(() => undefined); // it is not started again yet
          await delay(random.below(1_000));
        }
      }),
    );
    return async () => {
      isEnded = true;
      await killing;
    };
  };

/** Daemons, etcd and whole hosts that die at once, and managers that never come back. */
export const kills: Readonly<Record<string, Fault>> = {
  'kill the daemon of the leader': killDaemons(leader),
  'kill the daemon of a follower': killDaemons(follower),
  'kill the daemon of a worker': killDaemons(worker),
  'kill the daemons of all managers': killDaemons(managers),
  'kill the host of the leader': killHosts(leader),
  'kill the host of a worker': killHosts(worker),
  'kill etcd of the leader': killStores(leader),
  'kill etcd of a follower': killStores(follower),
  'kill etcd of all managers': killStores(managers),
  'kill etcd of the leader repeatedly': killStoresRepeatedly(leader),
  'lose the leader with its disk': loseManager((roles) => roles.leader),
  'lose a follower with its disk': loseManager(({ followers: [first] }) => first),
};
