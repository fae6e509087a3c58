import { setTimeout as delay } from 'node:timers/promises';
import { kindOf } from '@gantry/core/errors';
import test from 'ava';
import { attachment, networkHarness, networkRequest, sandboxOf } from '../testing/harness.js';

const names = ['red', 'green', 'blue'];
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

test('with CheckDuplicate, concurrent clients never see two networks of one name', async (t) => {
  const harness = await networkHarness(t);
  const createNetwork = harness.bridge.createNetwork.bind(harness.bridge);
  harness.bridge.createNetwork = async (network) => {
    await delay(Math.random() * 3);
    await createNetwork(network);
  };
  const created = new Map(names.map((name) => [name, 0]));
  const count = (name: string, change: number) => created.set(name, (created.get(name) ?? 0) + change);
  const actions: Record<string, (name: string, client: string) => Promise<void>> = {
    create: async (name) => {
      await harness.create(networkRequest(name, { checkDuplicate: true }));
      count(name, 1);
    },
    remove: async (name) => {
      await harness.removeNetwork.remove(name);
      count(name, -1);
    },
    connect: async (name, client) => {
      await harness.sandboxes.open(sandboxOf(client, attachment(harness.networks.get(name).id)));
      await harness.sandboxes.close(client);
    },
  };
  const runClient = async (client: string): Promise<void> => {
    for (let step = 0; step < 40; step += 1) {
      const name = pick(names);
      await (actions[pick(Object.keys(actions))] as (typeof actions)[string])(name, client).catch((error: unknown) => {
        // Refused: in use, taken, or gone meanwhile. Never ambiguous.
        t.true(['conflict', 'forbidden', 'not-found'].includes(kindOf(error) ?? ''), String(error));
      });
      t.true(harness.store.byName(name).length <= 1, name);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, index) => runClient(`client${index}`)));
  // The model: a network exists exactly when it was created once more often than it was removed.
  for (const name of names) t.is(harness.store.byName(name).length, created.get(name) ?? 0, name);
  t.is(harness.bridge.networks.size, 1 + [...created.values()].reduce((sum, each) => sum + each, 0));
});
