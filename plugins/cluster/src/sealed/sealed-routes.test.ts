import test from 'ava';
import { configs, secrets } from '../records/sealed-kinds.js';
import { ClusterService } from '../service.js';
import { startSwarm } from '../testing/start-cluster.js';

interface Sealed {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly Name: string; readonly Data?: string; readonly Labels: Record<string, string> };
}

const data = (text: string): string => Buffer.from(text).toString('base64');

for (const noun of ['secret', 'config'] as const) {
  const path = `/${noun}s`;

  test(`a ${noun} is created, found, listed and removed`, async (t) => {
    const { engine } = await startSwarm(t);
    const body = { Name: 'web.key', Labels: { a: '1' }, Data: data('hello') };
    const created = await engine.ask('POST', `${path}/create`, { body });
    t.is(created.status, 201);
    const { ID } = created.json<Sealed>();
    for (const text of [ID, ID.slice(0, 12), 'web.key']) {
      const found = (await engine.ask('GET', `${path}/${text}`)).json<Sealed>();
      t.like(found, { ID, Spec: { Name: 'web.key', Labels: { a: '1' } } });
      t.is(found.Spec.Data, noun === 'secret' ? undefined : data('hello'));
    }
    t.is((await engine.ask('GET', path)).json<Sealed[]>().length, 1);
    const removed = await engine.ask('DELETE', `${path}/web.key`);
    t.deepEqual([removed.status, removed.text], [204, '']);
    const absent = await engine.ask('GET', `${path}/web.key`);
    t.deepEqual([absent.status, absent.json().message], [404, `${noun} web.key not found`]);
    t.deepEqual((await engine.ask('GET', path)).json(), []);
    t.deepEqual(engine.eventSummaries(), [`${noun} create ${ID}`, `${noun} remove ${ID}`]);
  });

  test(`the content of a ${noun} is not readable in the store, and is in the service`, async (t) => {
    const { engine } = await startSwarm(t);
    const content = 'a text that nothing else has';
    await engine.ask('POST', `${path}/create`, { body: { Name: 'a', Data: data(content) } });
    const { store } = await engine.kernel.service(ClusterService).manager();
    let snapshot = '';
    for await (const chunk of await store.snapshot()) snapshot += chunk;
    t.true(snapshot.includes('sealed'));
    t.false(snapshot.includes(content) || snapshot.includes(data(content)));
    const record = store.byName(noun === 'secret' ? secrets : configs, 'a');
    if (record === undefined) throw new Error('the record is missing');
    t.is(engine.kernel.service(ClusterService).contentOf(record).toString(), content);
  });

  test(`the name of a ${noun} is unique`, async (t) => {
    const { engine } = await startSwarm(t);
    const create = async () =>
      (await engine.ask('POST', `${path}/create`, { body: { Name: 'a', Data: data('x') } })).status;
    t.is(await create(), 201);
    t.is(await create(), 409);
  });

  test(`what cannot be a ${noun} is refused`, async (t) => {
    const { engine } = await startSwarm(t);
    const large = Buffer.alloc((noun === 'secret' ? 500 : 1000) * 1024 + 1).toString('base64');
    const bodies = [
      ...[{ Data: data('x') }, { Name: 'a b', Data: data('x') }, { Name: 'a'.repeat(65), Data: data('x') }],
      ...[{ Name: 'a' }, { Name: 'a', Data: '' }, { Name: 'a', Data: '*' }, { Name: 'a', Data: large }],
      { Name: 'a', Data: data('x'), Templating: { Name: 'jinja' } },
    ];
    for (const body of bodies) {
      t.is((await engine.ask('POST', `${path}/create`, { body })).status, 400, JSON.stringify(body).slice(0, 80));
    }
    const withDriver = { Name: 'a', Data: data('x'), Driver: { Name: 'vault' } };
    t.is((await engine.ask('POST', `${path}/create`, { body: withDriver })).status, 501);
    t.deepEqual((await engine.ask('GET', path)).json(), []);
  });

  test(`only the labels of a ${noun} are updated`, async (t) => {
    const { engine } = await startSwarm(t);
    await engine.ask('POST', `${path}/create`, { body: { Name: 'a', Data: data('x') } });
    const { Version } = (await engine.ask('GET', `${path}/a`)).json<Sealed>();
    const update = async (body: object, version = Version.Index) =>
      (await engine.ask('POST', `${path}/a/update?version=${version}`, { body })).status;
    t.is(await update({ Name: 'b', Labels: { k: 'v' } }), 400);
    t.is(await update({ Name: 'a', Data: data('y') }), 400);
    t.is(await update({ Name: 'a', Labels: { k: 'v' } }, Version.Index + 1), 409);
    t.is(await update({ Name: 'a', Labels: { k: 'v' } }), 200);
    t.deepEqual((await engine.ask('GET', `${path}/a`)).json<Sealed>().Spec.Labels, { k: 'v' });
  });

  test(`filters of ${noun}s`, async (t) => {
    const { engine } = await startSwarm(t);
    for (const Name of ['web', 'web-2', 'db']) {
      await engine.ask('POST', `${path}/create`, { body: { Name, Labels: { [Name]: '1' }, Data: data('x') } });
    }
    const names = async (filters: object) => {
      const query = encodeURIComponent(JSON.stringify(filters));
      return (await engine.ask('GET', `${path}?filters=${query}`)).json<Sealed[]>().map(({ Spec }) => Spec.Name);
    };
    t.deepEqual(await names({ name: ['web'] }), ['web', 'web-2']);
    t.deepEqual(await names({ names: ['web'] }), ['web']);
    t.deepEqual(await names({ label: ['db=1'] }), ['db']);
    t.is((await engine.ask('GET', `${path}?filters={"x":["y"]}`)).status, 400);
  });

  test(`a ${noun} that a service uses is not removed`, async (t) => {
    const { engine } = await startSwarm(t);
    await engine.ask('POST', `${path}/create`, { body: { Name: 'a', Data: data('x') } });
    const remove = engine.kernel.service(ClusterService).addUsers({ usersOf: () => ['web'] });
    const refused = await engine.ask('DELETE', `${path}/a`);
    t.is(refused.status, 400);
    t.is(refused.json().message, `${noun} 'a' is in use by the following service: web`);
    remove();
    t.is((await engine.ask('DELETE', `${path}/a`)).status, 204);
  });

  test(`a ${noun} is opened after a restart`, async (t) => {
    const { engine } = await startSwarm(t);
    await engine.ask('POST', `${path}/create`, { body: { Name: 'a', Data: data('x') } });
    await engine.restart();
    t.is((await engine.ask('GET', `${path}/a`)).status, 200);
  });
}
