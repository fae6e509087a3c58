import { startProxy } from '@gantry/lib-http/testing';
import test from 'ava';
import { idOf, pull, startPuller } from './testing/harness.js';
import { makeContent, startStandIn } from './testing/stand-in.js';

const image = await makeContent(['content']);

test('a reload changes mirrors and default registry, and names what has to wait', async (t) => {
  const registry = await startStandIn(t);
  registry.serveImage('x', image);
  const engine = await startPuller(t);
  const { config } = engine.kernel;
  const reload = (section: object) =>
    engine.kernel.reload({
      ...config,
      plugins: { ...config.plugins, registry: { ...Object(config.plugins.registry), ...section } },
    });
  t.is((await pull(engine, { fromImage: 'app:x' })).status, 500);
  t.like(await reload({ defaultRegistry: registry.host }), { applied: ['registry'], waiting: [] });
  t.is((await pull(engine, { fromImage: 'app:x' })).error, undefined);
  const mirror = await startStandIn(t);
  mirror.serveImage('y', image);
  const mirrors = { [registry.host]: [`http://${mirror.host}`] };
  await reload({ defaultRegistry: registry.host, mirrors });
  t.is((await pull(engine, { fromImage: 'app:y' })).error, undefined);
  t.true(mirror.asked.length > 0);
  const { waiting } = await reload({ attempts: 9 });
  t.deepEqual(waiting, ['registry']);
  t.is((await pull(engine, { fromImage: 'app:y' })).error, undefined, 'nothing of it was applied');
});

test('pulls go through the proxy of the environment, except to hosts that NO_PROXY names', async (t) => {
  const registry = await startStandIn(t);
  registry.serveImage('x', image);
  const proxy = await startProxy(t, registry.host);
  process.env.HTTP_PROXY = proxy.url;
  t.teardown(() => void delete process.env.HTTP_PROXY);
  const engine = await startPuller(t, { insecureRegistries: ['registry.test:5000', 'direct.test:5000'], attempts: 1 });
  t.is((await pull(engine, { fromImage: 'registry.test:5000/app:x' })).error, undefined);
  t.is(await idOf(engine, 'registry.test:5000/app:x'), image.id);
  t.true(proxy.asked.includes('GET http://registry.test:5000/v2/app/manifests/x'));
  process.env.NO_PROXY = 'direct.test';
  t.teardown(() => void delete process.env.NO_PROXY);
  t.regex((await pull(engine, { fromImage: 'direct.test:5000/app:x' })).error ?? '', /ENOTFOUND|EAI_AGAIN/);
  t.false(proxy.asked.some((line) => line.includes('direct.test')));
});
