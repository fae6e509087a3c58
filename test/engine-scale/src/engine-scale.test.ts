import { type GrownResource, growths, subjectOf } from '@gantry/bench';
import test from 'ava';
import { startOwn } from './engines/measured-engine.js';
import { type Kind, kinds, parseOptions } from './options.js';

const counts: Readonly<Record<Kind, number>> = { images: 100, networks: 20, events: 1000, stopped: 100, running: 20 };

test('many of everything are there after a kill -9 of the daemon, and removed one by one', async (t) => {
  const measured = await startOwn(t, { place: undefined, profile: undefined });
  const subject = subjectOf(measured.engine, 'busybox');
  const list = (path: string) => measured.engine.ask<readonly { readonly Id: string }[]>('GET', path);
  const everything = async () => ({
    containers: (await list('/containers/json?all=1')).length,
    images: (await list('/images/json')).length,
    networks: (await list('/networks')).length,
  });
  const before = await everything();
  const all = new Map<Kind, GrownResource>();
  for (const kind of Object.keys(kinds) as Kind[]) {
    const growth = growths.find(({ name }) => name === kinds[kind]);
    if (growth === undefined) return t.fail(kind);
    const grown = growth.begin(subject);
    all.set(kind, grown);
    await grown.grow(counts[kind]);
  }
  const found = async () => {
    const numbers: [Kind, number | undefined][] = [];
    for (const [kind, grown] of all) numbers.push([kind, await grown.count?.()]);
    return Object.fromEntries(numbers);
  };
  t.deepEqual(await found(), counts);
  await measured.restart?.();
  t.deepEqual(await found(), counts);
  for (const grown of [...all.values()].reverse()) await grown.remove();
  t.deepEqual(await everything(), before);
});

test('the numbers that are not named are 0 when one is, and an invalid one is named in the error', (t) => {
  t.deepEqual(parseOptions([]).counts, {
    images: 10_000,
    networks: 1000,
    events: 100_000,
    stopped: 10_000,
    running: 1000,
  });
  t.like(parseOptions(['--running', '10', 'docker=/run/docker.sock,12']), {
    counts: { images: 0, networks: 0, events: 0, stopped: 0, running: 10 },
    others: [{ name: 'docker', socket: '/run/docker.sock', pid: 12 }],
  });
  t.throws(() => parseOptions(['--images', 'many']), { message: '--images: "many" is not a whole number' });
  t.throws(() => parseOptions(['docker=/run/docker.sock']), {
    message: '"docker=/run/docker.sock" is not NAME=SOCKET,PID',
  });
});
