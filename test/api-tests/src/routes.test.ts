import { EngineApi } from '@gantry/engine-api/service';
import test from 'ava';
import { startApi } from './testing/start-engine.js';

test('no route is hidden by one that was declared before it', async (t) => {
  const { kernel } = await startApi(t);
  const routes = kernel.service(EngineApi).mounted;
  t.true(routes.length > 40);
  const patterns = routes.map(({ method, path }) => ({ method, path, expression: expressionOf(path) }));
  for (const [index, { method, path }] of patterns.entries()) {
    const request = path.replace(/\/[:*][^/]*/g, '/x');
    const first = patterns.findIndex((other) => other.method === method && other.expression.test(request));
    t.is(first, index, `${method} ${path} is hidden by ${patterns[first]?.path}`);
  }
});

function expressionOf(path: string): RegExp {
  const segments = path.split('/').map((segment) => {
    if (segment.startsWith('*')) return '.+';
    return segment.startsWith(':') ? '[^/]+' : segment.replace(/[.\-+]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
