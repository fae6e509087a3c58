import { setTimeout as delay } from 'node:timers/promises';
import { startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import type Docker from 'dockerode';
import { hostState } from './testing/host-state.js';
import { runIn, startContainer } from './testing/run-in.js';

/** With GANTRY_STORM_MINUTES the storm goes on for so long; otherwise it blows once. */
const minutes = Number(process.env.GANTRY_STORM_MINUTES ?? 0);
const connections = 200;
const starts = 100;
const atOnce = 8;

test('many concurrent connections and starts fail no lookup and leave nothing behind', async (t) => {
  t.timeout((minutes * 60 + 120) * 1000);
  const daemon = await startDaemon(t);
  const { client } = daemon;
  for (const Name of ['front', 'back']) await client.createNetwork({ Name });
  const on = (NetworkMode: string) => ({ Cmd: ['sleep', '86400'], HostConfig: { NetworkMode } });
  const target = await startContainer(client, { name: 'target', ...on('front') });
  const travellers = await Promise.all(
    Array.from({ length: atOnce }, (_, index) => startContainer(client, { name: `traveller${index}`, ...on('front') })),
  );
  const asking = travellers.slice(0, 2);
  const before = await untilCalm(() => hostState(daemon));

  const lookups = asking.map((container) => runIn(container, lookupLoop));
  const until = Date.now() + minutes * 60_000;
  let rounds = 0;
  do {
    rounds += 1;
    await Promise.all([
      inTurns(connections, (turn) => travel(client, travellers[turn % atOnce] ?? target)),
      inTurns(starts, (turn) => startAndRemove(client, turn)),
    ]);
  } while (Date.now() < until);
  await Promise.all(asking.map((container) => runIn(container, 'touch /over')));
  for (const { output } of await Promise.all(lookups)) {
    const { asked, failed } = /asked (?<asked>\d+) failed (?<failed>\d+)/.exec(output)?.groups ?? {};
    t.log(`${asked} lookups beside ${rounds} storms`);
    t.true(Number(asked) > 20, output);
    t.is(failed, '0', output);
  }
  await Promise.all(asking.map((container) => runIn(container, 'rm /over')));
  const after = await untilCalm(() => hostState(daemon), before);
  t.deepEqual(
    { left: after.filter((line) => !before.includes(line)), lost: before.filter((line) => !after.includes(line)) },
    { left: [], lost: [] },
  );
});

/** Resolves a name over UDP repeatedly, until the signal aborts. */
const lookupLoop = `asked=0; failed=0
while [ ! -e /over ]; do
  asked=$((asked+1))
  nslookup target >/tmp/answer 2>&1 || { failed=$((failed+1)); cat /tmp/answer; }
done
echo asked $asked failed $failed`;

async function travel(client: Docker, traveller: Docker.Container): Promise<void> {
  await client.getNetwork('back').connect({ Container: traveller.id });
  await client.getNetwork('back').disconnect({ Container: traveller.id });
}

async function startAndRemove(client: Docker, turn: number): Promise<void> {
  const container = await startContainer(client, {
    name: `brief${turn}`,
    HostConfig: { NetworkMode: turn % 2 === 0 ? 'front' : 'bridge', PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
    ExposedPorts: { '80/tcp': {} },
  });
  await container.remove({ force: true });
}

/** So many turns, some at a time; those of one number after another come one after the other. */
async function inTurns(count: number, turn: (number: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: atOnce }, async (_, offset) => {
      for (let number = offset; number < count; number += atOnce) await turn(number);
    }),
  );
}

/** The state once it is what is wanted, or else once it does not change any more. */
async function untilCalm(
  read: () => Promise<readonly string[]>,
  wanted?: readonly string[],
): Promise<readonly string[]> {
  const deadline = Date.now() + 3000;
  for (let last = await read(); ; ) {
    await delay(100);
    const state = await read();
    const isDone = wanted === undefined ? `${state}` === `${last}` : `${state}` === `${wanted}`;
    if (isDone || Date.now() > deadline) return state;
    last = state;
  }
}
