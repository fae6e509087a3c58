import test from 'ava';
import { startApi } from './testing/start-engine.js';

const paths = ['/_ping', '/version', '/info', '/containers/json', '/images/json', '/volumes', '/networks'];

test('every area answers with and without a version', async (t) => {
  const api = await startApi(t);
  for (const path of paths) {
    for (const prefix of ['', '/v1.24', '/v1.41', '/v1.51'])
      t.is((await api.get(prefix + path)).status, 200, prefix + path);
  }
});

test('a version that is not spoken is refused, whatever is asked', async (t) => {
  const api = await startApi(t);
  for (const path of paths) {
    const [status, words] = await api.refusal(api.get(`/v9.99${path}`));
    t.is(status, 400);
    t.regex(words, /^client version 9\.99 is too new\. Maximum supported API version is 1\.51/);
  }
  t.is((await api.post('/v9.99/containers/create', { Image: 'busybox' })).status, 400);
  t.true((await api.get('/vx/info')).status >= 400);
});

test('a prefix works with every method', async (t) => {
  const api = await startApi(t);
  t.is((await api.delete('/v1.24/containers/gone')).status, 404);
  t.is((await api.post('/v1.24/containers/gone/start')).status, 404);
  t.is((await api.ask('HEAD', '/v1.24/containers/gone/archive?path=/')).status, 404);
});

test('version, ping and every response report the API version', async (t) => {
  const api = await startApi(t);
  for (const prefix of ['', '/v1.24', '/v1.51']) {
    const version = await api.get(`${prefix}/version`);
    t.like(version.json(), { ApiVersion: '1.51', MinAPIVersion: '1.24' });
    t.is(version.headers['api-version'], '1.51');
    t.is((await api.get(`${prefix}/_ping`)).headers['api-version'], '1.51');
  }
});
