import test from 'ava';
import { freePort } from './testing/distribution.js';
import { startPuller } from './testing/harness.js';
import { startStandIn } from './testing/stand-in.js';

const results = [
  { name: 'alpha', description: 'a', star_count: 30, is_official: true, is_automated: false },
  { name: 'beta', description: 'b', star_count: 5, is_official: false, is_automated: true },
  { name: 'gamma', description: 'c', star_count: 1, is_official: false, is_automated: false },
];

test('a search asks the registry its term names, limits and filters', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t, (request, response) => {
    if (!request.url?.startsWith('/v1/search')) return false;
    response.end(JSON.stringify({ results }));
    return true;
  });
  const names = async (query: object) => {
    const text = new URLSearchParams({ term: `${registry.host}/x`, ...query });
    return (await engine.ask('GET', `/images/search?${text}`)).json<{ name: string }[]>().map(({ name }) => name);
  };
  t.deepEqual((await engine.ask('GET', `/images/search?term=${registry.host}/x`)).json(), results);
  t.true(registry.asked.includes('GET /v1/search?q=x&n=25'));
  t.deepEqual(await names({ limit: '2' }), ['alpha', 'beta']);
  t.deepEqual(await names({ filters: '{"stars":["5"]}' }), ['alpha', 'beta']);
  t.deepEqual(await names({ filters: '{"is-official":["true"]}' }), ['alpha']);
  t.deepEqual(await names({ filters: '{"is-automated":{"true":true}}' }), ['beta']);
  const status = async (query: string) => (await engine.ask('GET', `/images/search?${query}`)).status;
  t.is(await status(`term=${registry.host}/x&filters={"nosuch":["1"]}`), 400);
  t.is(await status(`term=${registry.host}/x&limit=101`), 400);
  t.is(await status(`term=127.0.0.1:${await freePort()}/x`), 500);
  t.is(await status('term=x'), 500);
});
