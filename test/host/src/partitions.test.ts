import { cut, heartbeatPeriod, partitionKinds, rolesOf, type SwarmNode, startManagers } from '@gantry/test-nodes';
import test from 'ava';
import { AppendRegister, contradictions } from './testing/append-register.js';
import { Application } from './testing/application.js';

test('the checker finds lost, forked and invented updates', (t) => {
  const acknowledged = (value: string, version: number) => ({ value, version, outcome: 'acknowledged' }) as const;
  const updates = [acknowledged('a', 1), acknowledged('b', 2), { value: 'c', version: 2, outcome: 'unknown' }] as const;
  t.deepEqual(contradictions(updates, ['a', 'b']), []);
  t.deepEqual(contradictions(updates, ['a', 'b', 'c']), []);
  t.deepEqual(contradictions(updates, ['b']), ['a was acknowledged, and is lost']);
  t.deepEqual(contradictions(updates, ['a', 'b', 'd']), ['d was never written']);
  t.deepEqual(contradictions([acknowledged('a', 1), acknowledged('b', 1)], ['a', 'b']), [
    'a and b both followed version 1',
  ]);
  t.deepEqual(contradictions([{ value: 'a', version: 1, outcome: 'refused' }], ['a']), ['a was refused, and is there']);
});

/** Long enough for another leader, and for nodes that miss two heartbeats and a half to be down. */
const cutMilliseconds = 2.5 * heartbeatPeriod + 1_000;

test('nothing acknowledged is lost in partitions, and everything works again after them', async (t) => {
  t.timeout(300_000); // five engines start
  const { engines, managers, workers } = await startManagers(t, 3, 2);
  const application = await Application.deploy(engines, managers);
  const register = await AppendRegister.start(t, managers as [SwarmNode, ...SwarmNode[]]);
  for (const kind of ['the leader alone', 'two managers without the leader and the workers', 'a worker is not heard']) {
    const heal = await cut(partitionKinds[kind]?.(await rolesOf(managers, workers)) ?? []);
    await new Promise((resolve) => setTimeout(resolve, cutMilliseconds));
    await heal();
    t.log(`${kind}: sound after ${await application.untilSound()} ms`);
  }
  t.deepEqual(await register.finish(managers[0] as SwarmNode), []);
  t.log(`${register.acknowledged} updates acknowledged, ${register.unknown} with an unknown outcome`);
  t.true(register.acknowledged > 0);
});
