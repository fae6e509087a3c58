import test from 'ava';
import { startApi } from './testing/start-engine.js';

const id = 'f'.repeat(64);

for (const [method, path, status, message] of [
  ['GET', '/nowhere', 404, 'page not found'],
  ['POST', '/_ping', 404, 'page not found'],
  ['GET', '/containers/gone/json', 404, 'No such container: gone'],
  ['GET', `/containers/${id}/json`, 404, `No such container: ${id}`],
  ['POST', '/containers/gone/start', 404, 'No such container: gone'],
  ['DELETE', '/containers/gone', 404, 'No such container: gone'],
  ['GET', '/containers/gone/logs?stdout=1', 404, 'No such container: gone'],
  ['POST', '/containers/gone/attach?stream=1', 404, 'No such container: gone'],
  ['GET', '/containers/gone/archive?path=/', 404, 'No such container: gone'],
  ['GET', '/images/gone/json', 404, 'No such image: gone:latest'],
  ['DELETE', '/images/gone', 404, 'No such image: gone:latest'],
  ['GET', '/volumes/gone', 404, 'get gone: no such volume'],
  ['GET', '/networks/gone', 404, 'network gone not found'],
  ['GET', `/exec/${id}/json`, 404, `No such exec instance: ${id}`],
  ['DELETE', '/networks/bridge', 403, 'bridge is a pre-defined network and cannot be removed'],
] as const) {
  test(`${method} ${path.replace(id, 'ID')} is ${status}: ${message.replace(id, 'ID')}`, async (t) => {
    const api = await startApi(t);
    const answer = await api.ask(method, path);
    t.is(answer.status, status);
    t.deepEqual(answer.json(), { message });
    t.is(answer.headers['content-type'], 'application/json');
  });
}

const json = { 'Content-Type': 'application/json' };

test('a body that is no JSON, or no object, is 400', async (t) => {
  const api = await startApi(t);
  for (const path of ['/containers/create', '/volumes/create', '/networks/create', '/containers/x/exec']) {
    for (const body of ['{', '[]', '"text"', `${'['.repeat(20_000)}`]) {
      t.is((await api.ask('POST', path, { headers: json, body })).status, 400, `${path} ${body.slice(0, 9)}`);
    }
  }
  t.is((await api.ask('POST', '/containers/create', { headers: json, body: '' })).status, 400);
  const typed = await api.ask('POST', '/containers/create', { headers: { 'Content-Type': 'text/plain' }, body: '{}' });
  t.deepEqual(typed.json(), { message: "Content-Type specified (text/plain) must be 'application/json'" });
});

test('a body longer than the limit is 400, and the engine goes on', async (t) => {
  const api = await startApi(t);
  const body = `{"Image":"${'x'.repeat(17 * 2 ** 20)}"}`;
  t.is((await api.ask('POST', '/containers/create', { headers: json, body })).status, 400);
  t.is((await api.get('/_ping')).status, 200);
});

test('what cannot be created is refused by field, and nothing is left', async (t) => {
  const api = await startApi(t);
  for (const [body, expected] of [
    [{ Image: 'gone' }, [404, /^No such image: gone:latest$/]],
    [{ Image: '' }, [400, /./]],
    [{ Hostname: 'not a host' }, [400, /Hostname|hostname/]],
    [{ Env: 'A=1' }, [400, /^Env: /]],
    [{ HostConfig: { Memory: 'x' } }, [400, /^HostConfig\.Memory: /]],
    [{ HostConfig: { Memory: 100 } }, [400, /^Minimum memory limit allowed is 6MB$/]],
    [{ HostConfig: { RestartPolicy: { Name: 'x' } } }, [400, /^invalid restart policy 'x'$/]],
    [{ HostConfig: { Binds: ['/a:/x', '/b:/x'] } }, [400, /^Duplicate mount point: \/x$/]],
    [{ HostConfig: { LogConfig: { Type: 'nosuch' } } }, [400, /nosuch/]],
    [{ StopSignal: 'NOSUCH' }, [400, /NOSUCH/]],
  ] as const) {
    const [status, words] = await api.refusal(api.post('/containers/create?name=x', { Image: 'busybox', ...body }));
    t.is(status, expected[0], words);
    t.regex(words, expected[1]);
  }
  for (const name of ['a b', 'a/b', 'é']) {
    const answer = api.post(`/containers/create?name=${encodeURIComponent(name)}`, { Image: 'busybox' });
    const [status, words] = await api.refusal(answer);
    t.is(status, 400, name);
    t.regex(words, /^Invalid container name/);
  }
  t.deepEqual((await api.get('/containers/json?all=1')).json(), []);
  t.deepEqual((await api.get('/volumes')).json(), { Volumes: [], Warnings: null });
});

test('operations on a stopped container are refused with its id', async (t) => {
  const api = await startApi(t);
  const { id: ended } = await api.runToEnd({ Cmd: ['true'] });
  for (const path of [`${ended}/kill`, `${ended}/pause`, `${ended}/resize?h=1&w=1`]) {
    const [status, words] = await api.refusal(api.post(`/containers/${path}`));
    t.true(status === 409 || status === 500, path);
    t.true(words.includes(`Container ${ended} is not running`), words);
  }
});

test('a prefix of several ids is not one', async (t) => {
  const api = await startApi(t);
  const ids = [await api.create()];
  for (;;) {
    const fresh = await api.create();
    const twin = ids.find((other) => other[0] === fresh[0]);
    ids.push(fresh);
    if (twin === undefined) continue;
    t.deepEqual(await api.refusal(api.get(`/containers/${fresh.slice(0, 1)}/json`)), [
      500,
      `Multiple IDs found with provided prefix: ${fresh.slice(0, 1)}`,
    ]);
    return;
  }
});
