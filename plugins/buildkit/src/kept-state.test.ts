import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { BuildKitClient } from './testing/buildkit-client.js';
import { ClientServices } from './testing/client-services.js';
import type { Files } from './testing/file-server.js';
import { startBuildKit } from './testing/start-buildkit.js';

const files = (file: string) => ({ directories: { context: { Dockerfile: file } } });

test('caches of mounts are listed, and pruned by id, age and size', async (t) => {
  const { client, engine } = await startBuildKit(t);
  const run = (id: string) => `RUN --mount=type=cache,target=/c,id=${id} echo ${id}\n`;
  t.is((await client.solve(files(`FROM base\n${run('a')}${run('b')}`))).error, undefined);
  const names = 'moby.buildkit.v1.';
  const usage = async () => {
    const path = `/${names}Control/DiskUsage`;
    const answer = await client.call(path, `${names}DiskUsageRequest`, `${names}DiskUsageResponse`, { filter: [''] });
    return (answer as { record: { ID: string; RecordType: string }[] }).record;
  };
  const [first, second] = await usage();
  t.deepEqual([first?.RecordType, second?.RecordType], ['exec.cachemount', 'exec.cachemount']);
  const prune = async (filters: object, query = '') =>
    engine.ask('POST', `/build/prune?filters=${encodeURIComponent(JSON.stringify(filters))}${query}`);
  t.is((await prune({ until: ['1h'] })).json<{ CachesDeleted: null }>().CachesDeleted, null);
  t.is((await prune({ type: ['regular'] })).json<{ CachesDeleted: null }>().CachesDeleted, null);
  t.is((await prune({}, '&keep-storage=1000000')).json<{ CachesDeleted: null }>().CachesDeleted, null);
  t.is((await prune({ description: ['x'] })).json<{ CachesDeleted: null }>().CachesDeleted, null);
  t.is((await prune({ label: ['x'] })).json<{ CachesDeleted: null }>().CachesDeleted, null, 'caches have no labels');
  t.is((await prune({ nonsense: ['x'] })).status, 400);
  t.is((await prune({ type: ['a', 'b'] })).status, 400);
  t.is((await prune({}, '&max-used-space=1000000')).json<{ CachesDeleted: null }>().CachesDeleted, null);
  t.is((await usage()).length, 2, 'what is refused removes nothing');
  t.deepEqual((await prune({ id: [first?.ID] })).json<{ CachesDeleted: string[] }>().CachesDeleted, [first?.ID]);
  t.deepEqual(
    (await usage()).map(({ ID }) => ID),
    [second?.ID],
  );
});

test('a kept context whose change a kill interrupted is transferred as a whole', async (t) => {
  const { client: before, engine } = await startBuildKit(t);
  let client = before;
  const build = async (more: Files) => {
    const services = new ClientServices(client.protocol);
    const made = await client.solve({
      directories: { context: { Dockerfile: 'FROM scratch\nCOPY d /\n', ...more } },
      request: { Exporters: [{ Type: 'local', Attrs: {} }] },
      services,
      receivesDirectories: true,
      sharedKey: 'project',
    });
    t.is(made.error, undefined);
    return { requested: made.transfers.at(-1)?.requested, files: Object.fromEntries(services.directory) };
  };
  const whole = { requested: ['d/a', 'd/b'], files: { a: '1', b: '2' } };
  t.deepEqual(await build({ 'd/a': '1', 'd/b': '2' }), whole);
  const contexts = join(engine.directory, 'data/plugins/build/kept-contexts');
  const [id = ''] = await readdir(contexts);
  const manifest = join(contexts, id, 'manifest.json');
  const text = await readFile(manifest, 'utf8');
  const interrupt = async () => {
    await writeFile(join(contexts, id, 'files/d/a'), 'half');
    await writeFile(join(contexts, id, 'files/d/partial'), 'half');
  };
  // The manifest goes before anything is changed.
  await interrupt();
  await rm(manifest);
  await engine.restart();
  client = await BuildKitClient.open(t, engine.socketPath);
  t.deepEqual(await build({ 'd/a': '1', 'd/b': '2' }), whole);
  // The files were not flushed when the host went down.
  await interrupt();
  await writeFile(manifest, text.replace(/"bootId":"[^"]*"/, '"bootId":"earlier"'));
  t.deepEqual(await build({ 'd/a': '1', 'd/b': '2' }), whole);
});

test('of a directory that the client names only what has changed is transferred, until it is pruned', async (t) => {
  const { client } = await startBuildKit(t);
  const services = new ClientServices(client.protocol);
  const build = async (more: Files) => {
    services.directory.clear();
    const made = await client.solve({
      directories: { context: { Dockerfile: 'FROM scratch\nCOPY . /\n', ...more } },
      request: { Exporters: [{ Type: 'local', Attrs: {} }] },
      services,
      receivesDirectories: true,
      sharedKey: 'project',
    });
    t.is(made.error, undefined);
    return { requested: made.transfers.at(-1)?.requested, files: Object.fromEntries(services.directory) };
  };
  const link = { mode: 0x0800_0000 + 0o777, linkname: 'd' };
  const first = await build({ 'd/a': 'a', 'd/b': 'b', c: 'c', e: 'e' });
  t.deepEqual(first.requested, ['Dockerfile', 'c', 'd/a', 'd/b', 'e']);
  // A directory becomes a link, a file a directory, one goes, and one changes.
  const second = await build({ 'd/a': 'other', 'd/b': 'b', 'c/f': 'f' });
  t.deepEqual(second.requested, ['c/f', 'd/a']);
  const Dockerfile = 'FROM scratch\nCOPY . /\n';
  t.deepEqual(second.files, { Dockerfile, c: '', 'c/f': 'f', d: '', 'd/a': 'other', 'd/b': 'b' });
  const third = await build({ 'd/a': 'other', c: link });
  t.deepEqual(third.requested, []);
  t.deepEqual(third.files, { Dockerfile, c: '-> d', d: '', 'd/a': 'other' });
  const names = 'moby.buildkit.v1.';
  const ask = (method: string, request: string, response: string, message: object) =>
    client.stream(`/${names}Control/${method}`, names + request, names + response, message);
  const [{ record }] = (await ask('DiskUsage', 'DiskUsageRequest', 'DiskUsageResponse', {
    filter: ['type==source.local,inuse==false'],
  })) as [{ record: readonly { ID: string; Size: number }[] }];
  t.deepEqual(
    record.map(({ Size }) => Size),
    [Dockerfile.length + 5],
  );
  await ask('Prune', 'PruneRequest', 'UsageRecord', { filter: ['type==exec.cachemount'] });
  t.deepEqual((await build({ 'd/a': 'other', c: link })).requested, []);
  await ask('Prune', 'PruneRequest', 'UsageRecord', { filter: [`id~=${record[0]?.ID.slice(0, 12)}`] });
  t.deepEqual((await build({ 'd/a': 'other', c: link })).requested, ['Dockerfile', 'd/a']);
});

test('builds are remembered with their steps and errors over restarts, until they are removed', async (t) => {
  const { client: before, engine } = await startBuildKit(t);
  let client = before;
  t.is((await client.solve({ ...files('FROM base\nRUN echo one\n'), throughGateway: true })).error, undefined);
  t.regex((await client.solve(files('FROM base\nCOPY absent /\n'))).error?.message ?? '', /absent/);
  const names = 'moby.buildkit.v1.';
  const call = (method: string, request: string, response: string, message: object) =>
    client.stream(`/${names}Control/${method}`, names + request, names + response, message);
  const records = async (message = {}) => {
    const events = await call('ListenBuildHistory', 'BuildHistoryRequest', 'BuildHistoryEvent', {
      EarlyExit: true,
      ...message,
    });
    return (events as { record: { Ref: string; Frontend: string; error: { message: string } | null } }[]).map(
      ({ record }) => record,
    );
  };
  await engine.restart();
  client = await BuildKitClient.open(t, engine.socketPath);
  const [one, two] = await records();
  t.like(one, { Frontend: 'dockerfile.v0', error: null, numTotalSteps: 6, numCompletedSteps: 6 });
  t.regex(two?.error?.message ?? '', /absent/);
  const [{ vertexes = [] } = {}, { logs = [] } = {}] = (await call('Status', 'StatusRequest', 'StatusResponse', {
    Ref: one?.Ref,
  })) as { vertexes?: { name: string }[]; logs?: { msg: Uint8Array }[] }[];
  t.true(vertexes.some(({ name }) => name === '[2/2] RUN echo one'));
  t.is(Buffer.concat(logs.map(({ msg }) => msg)).toString(), 'one\n');
  for (const [filter, found] of [
    ['status==error', [two]],
    ['status!=error', [one]],
    ['status==completed,startedAt>1h', [one]],
    ['startedAt<1h', []],
    ['completedAt>=2020-01-01T00:00:00Z,duration<1h', [one, two]],
    [`ref~=${one?.Ref.slice(0, 20)}`, [one]],
    ['repository==x', []],
  ] as const) {
    const refs = (await records({ Filter: [filter] })).map(({ Ref }) => Ref);
    t.deepEqual(
      refs,
      found.map((record) => record?.Ref ?? ''),
      filter,
    );
  }
  const update = (message: object) =>
    call('UpdateBuildHistory', 'UpdateBuildHistoryRequest', 'UpdateBuildHistoryResponse', message);
  await update({ Ref: one?.Ref, Delete: true });
  t.deepEqual(
    (await records()).map(({ Ref }) => Ref),
    [two?.Ref],
  );
  await t.throwsAsync(update({ Ref: one?.Ref, Finalize: true }), { message: /no record of build/ });
  for (const Filter of [['size==1'], ['status'], ['duration==1h']]) {
    await t.throwsAsync(records({ Filter }), { message: `filter ${Filter[0]} is not a condition on a build` });
  }
});
