import test from 'ava';
import type { Context, Handler } from '../exchange/context.js';
import { startHarness } from '../testing/http-harness.js';

/** Answers with a text made of the request. */
const says =
  (text: (ctx: Context) => string): Handler =>
  (ctx) => {
    ctx.body = text(ctx);
  };

test('areas share first segments of paths, and one may have any path', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get(
      '/containers/:id/json',
      says(() => 'containers'),
    );
  });
  harness.surface.routes('logs', (router) => {
    router.get(
      '/containers/:id/logs',
      says(() => 'logs'),
    );
    router.get(
      '/',
      says(() => 'root'),
    );
  });
  harness.surface.routes('pages', (router) => {
    router.get(
      '/pages',
      says(() => 'pages'),
    );
    router.get(
      '/*path',
      says((ctx) => `any ${ctx.params.path}`),
    );
  });
  const text = async (path: string) => (await harness.ask('GET', path)).text;
  t.is(await text('/containers/a/json'), 'containers');
  t.is(await text('/containers/a/logs'), 'logs');
  t.is(await text('/'), 'root');
  t.is(await text('/pages'), 'pages');
  t.is(await text('/containers/a'), 'any containers/a');
  t.is(await text('/other/path'), 'any other/path');
});
