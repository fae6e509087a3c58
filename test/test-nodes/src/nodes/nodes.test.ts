import { createHash } from 'node:crypto';
import test from 'ava';
import { eventually } from '../eventually.js';
import { otherClock } from '../faults/other-clock.js';
import { type SwarmNode, startNodes } from './start-nodes.js';

/** Of one engine that is an hour ahead of the other. */
const ahead = 3_600;
const releases: (() => Promise<void> | void)[] = [];
let one: SwarmNode;
let other: SwarmNode;

test.before(async () => {
  const environment = await otherClock(ahead);
  const owner = { teardown: (release: () => Promise<void> | void) => void releases.unshift(release) };
  const nodes = await startNodes(owner, 2, (number) => (number === 2 ? { environment } : {}));
  [one, other] = nodes as [SwarmNode, SwarmNode];
});

test.after.always(async () => {
  for (const release of releases) await release();
});

/** Milliseconds of the shortest of several round trips; undefined when no answer came. */
async function roundTrip(count: number): Promise<number | undefined> {
  const shown = await one.run('busybox', 'ping', '-c', String(count), '-W', '1', other.address).catch(String);
  const time = /min\/avg\/max = ([\d.]+)/.exec(shown)?.[1];
  return time === undefined ? undefined : Number(time);
}

test.serial('packets of a node are delayed in both directions, until they are not', async (t) => {
  await one.delay(60);
  const slow = (await roundTrip(3)) ?? 0;
  t.true(slow >= 120, `${slow} ms`);
  const large = await one.run('sh', '-c', `busybox nc -w 5 ${other.address} 9 </dev/null 2>&1; true`);
  t.regex(large, /refused/i, 'what is no ping arrives, too');
  await one.delay(0);
  const fast = await roundTrip(3);
  t.true(fast !== undefined && fast < 60, `${fast} ms`);
});

test.serial('large transfers pass a slow link whole', async (t) => {
  const size = 3_000_000;
  await one.delay(5);
  const listening = other.run('sh', '-c', 'busybox timeout 30 busybox nc -l -p 7000 | md5sum');
  const send = `head -c ${size} /dev/zero | busybox nc -w 5`;
  await eventually('the listener', () =>
    one.run('sh', '-c', `${send} ${other.address} 7000`).then(
      () => true,
      () => false,
    ),
  );
  t.is((await listening).split(' ')[0], createHash('md5').update(Buffer.alloc(size)).digest('hex'));
  await one.delay(0);
});

test.serial('packets of a partition are lost until it is healed', async (t) => {
  await one.partition({ from: [other.address] });
  t.is(await roundTrip(1), undefined);
  await one.heal();
  t.not(await roundTrip(1), undefined);
});

test.serial('an engine has a clock of its own', async (t) => {
  const [first, second] = await Promise.all(
    [one, other].map(async ({ client }) => Date.parse(((await client.info()) as { SystemTime: string }).SystemTime)),
  );
  const difference = ((second ?? 0) - (first ?? 0)) / 1000;
  t.true(Math.abs(difference - ahead) < 60, `${difference} s`);
});

test.serial('a swarm works after the death of its store', async (t) => {
  const { address, client } = one;
  await client.swarmInit({ ListenAddr: '0.0.0.0:2377', AdvertiseAddr: address });
  const { ID } = (await client.swarmInspect()) as { ID: string };
  await one.killStore();
  await eventually('a service', () =>
    client.createService({ Name: 'made', TaskTemplate: { ContainerSpec: { Image: 'busybox' } } }).then(
      () => true,
      // The answer to the one before was lost with the store.
      (error: Error) => /name .*conflicts/.test(error.message),
    ),
  );
  t.is(((await client.swarmInspect()) as { ID: string }).ID, ID);
});
