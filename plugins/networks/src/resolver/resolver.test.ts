import test from 'ava';
import { attachment, networkHarness, sandboxOf, small } from '../testing/harness.js';

const nameOf = (id: string): string => `name-${id.slice(0, 12)}`;

async function harness(t: Parameters<typeof networkHarness>[0]) {
  const made = await networkHarness(t);
  const front = await made.create(small('front', 1));
  const back = await made.create(small('back', 2));
  await made.sandboxes.open(sandboxOf('a'.repeat(64), attachment(front, { aliases: ['web', 'WWW'] })));
  await made.sandboxes.open(sandboxOf('b'.repeat(64), attachment(front), attachment(back)));
  return { made, ask: made.ask, front, back, a: 'a'.repeat(64), b: 'b'.repeat(64) };
}

test('a container is found by name, alias, id and short id, in any case and with its network as suffix', async (t) => {
  const { a, ask, b, made } = await harness(t);
  for (const name of [nameOf(a), 'web', 'www', 'WEB', 'web.front', 'Web.FRONT', a.slice(0, 12)]) {
    t.deepEqual(await ask(b, name), ['10.0.1.2'], name);
  }
  t.deepEqual(await made.askTcp(b, 'web'), ['10.0.1.2']);
  t.deepEqual(await ask(b, 'web', 'AAAA'), []);
});

test('names of other networks and unknown names are not answered locally', async (t) => {
  const { a, ask } = await harness(t);
  t.is(await ask(a, 'web.back'), undefined);
  t.is(await ask(a, 'gone'), undefined);
});

test('a reverse lookup answers the name and the network', async (t) => {
  const { a, ask, b } = await harness(t);
  t.deepEqual(await ask(b, '2.1.0.10.in-addr.arpa', 'PTR'), [`${nameOf(a)}.front`]);
});

test('a link is a name that only its own container resolves', async (t) => {
  const { a, ask, b, front, made } = await harness(t);
  const c = 'c'.repeat(64);
  await made.sandboxes.open(sandboxOf(c, attachment(front, { links: { db: a } })));
  t.deepEqual(await ask(c, 'db'), ['10.0.1.2']);
  t.is(await ask(b, 'db'), undefined);
});

test('a link by name resolves to the container that has the name at the time of the query', async (t) => {
  const { ask, front, made } = await harness(t);
  const c = 'c'.repeat(64);
  await made.sandboxes.open(sandboxOf(c, attachment(front, { links: { db: 'name-dddddddddddd' } })));
  t.is(await ask(c, 'db'), undefined);
  for (const digit of ['1', '2']) {
    const d = 'd'.repeat(12) + digit.repeat(52);
    const { endpoints } = await made.sandboxes.open(sandboxOf(d, attachment(front)));
    t.deepEqual(await ask(c, 'db'), [endpoints[0]?.ipv4Address ?? '']);
    t.deepEqual(made.store.endpointsOf(d)[0]?.request.linkedFrom, [made.store.endpointsOf(c)[0]?.id]);
    await made.sandboxes.close(d);
  }
});

test('containers that share an alias are answered in random order, those of the first network first', async (t) => {
  const { ask, back, front, made } = await harness(t);
  for (const id of ['1', '2', '3']) {
    await made.sandboxes.open(sandboxOf(id.repeat(64), attachment(front, { aliases: ['many'] })));
  }
  await made.sandboxes.open(sandboxOf('4'.repeat(64), attachment(back, { aliases: ['many'] })));
  const orders = new Set<string>();
  for (let count = 0; count < 30; count += 1) {
    const found = (await ask('b'.repeat(64), 'many')) ?? [];
    t.is(found.length, 4);
    t.is(found[3], '10.0.2.3');
    orders.add(found.join());
  }
  t.true(orders.size > 1);
});

test('a name disappears with its container and appears with the network that is joined', async (t) => {
  const { a, ask, b, back, made } = await harness(t);
  await made.endpoints.connect(a, attachment(back, { aliases: ['late'] }));
  t.deepEqual(await ask(b, 'late'), ['10.0.2.3']);
  await made.sandboxes.close(a);
  t.is(await ask(b, 'web'), undefined);
});

test('a renamed container is found by its new name, also after a restart', async (t) => {
  const { a, ask, b, front, made } = await harness(t);
  await made.sandboxes.renamed(a, 'fresh');
  await made.sandboxes.renamed('unknown', 'x');
  t.deepEqual(await ask(b, 'fresh'), ['10.0.1.2']);
  await made.reopen();
  t.is(made.store.sandbox(a)?.containerName, 'fresh');
  t.deepEqual(
    made.store
      .endpointsOn(front)
      .map(({ containerName }) => containerName)
      .sort(),
    ['fresh', nameOf(b)].sort(),
  );
});

test('a container that joins its first user-defined network gets a resolver, also after a restart', async (t) => {
  const { ask, front, made } = await harness(t);
  const d = 'd'.repeat(64);
  await made.sandboxes.open(sandboxOf(d, attachment(made.networks.get('bridge').id)));
  await made.endpoints.connect(d, attachment(front));
  t.deepEqual(await ask(d, 'web'), ['10.0.1.2']);
  await made.reopen();
  await made.sandboxes.restore(['a'.repeat(64), d]);
  t.deepEqual(await ask(d, 'web'), ['10.0.1.2']);
});

test('from internal networks nothing is asked outside', async (t) => {
  const { ask, made } = await harness(t);
  const inner = await made.create({ ...small('inner', 3), internal: true });
  await made.sandboxes.open(sandboxOf('e'.repeat(64), attachment(inner)));
  const began = performance.now();
  t.is(await ask('e'.repeat(64), 'example.test'), undefined);
  t.true(performance.now() - began < 3900, 'sooner than a server outside would be given up');
});
