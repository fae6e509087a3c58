import { once } from 'node:events';
import test from 'ava';
import {
  conflict,
  EngineError,
  internal,
  invalidArgument,
  kindOf,
  notFound,
  notModified,
} from '../../errors/engine-error.js';
import type { Context, Handler } from '../exchange/context.js';
import type { Exchange } from '../exchange/exchange.js';
import { rawBody, replaceBody } from '../requests/body.js';
import { queryOf } from '../requests/query-of.js';
import { sendJson } from '../responses/send-json.js';
import type { Router } from '../routing/router.js';
import { statuses } from '../routing/statuses.js';
import { startHarness } from '../testing/http-harness.js';

const json = { 'Content-Type': 'application/json' };
/** Answers with a text made of the request. */
const says =
  (text: (ctx: Context) => string): Handler =>
  (ctx) => {
    ctx.body = text(ctx);
  };
const message = (text: string): string => (JSON.parse(text) as { message: string }).message;

test('a string is text, an object is JSON, and both have a length', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/_ping', (ctx) => {
      ctx.body = 'OK';
    });
    router.get('/info', (ctx) => {
      ctx.body = { Name: 'é' };
    });
    router.get('/prepared', (ctx) => sendJson(ctx, '[1,2]'));
    router.post('/made', (ctx) => sendJson(ctx, { Id: 'x' }, 201));
  });
  const ping = await harness.ask('GET', '/_ping');
  t.like(ping, {
    status: 200,
    text: 'OK',
    headers: { 'content-type': 'text/plain; charset=utf-8', 'content-length': '2' },
  });
  const info = await harness.ask('GET', '/info');
  t.like(info, {
    status: 200,
    text: '{"Name":"é"}\n',
    headers: { 'content-type': 'application/json', 'content-length': '14' },
  });
  t.like(await harness.ask('GET', '/prepared'), { text: '[1,2]', headers: { 'content-type': 'application/json' } });
  t.like(await harness.ask('POST', '/made'), { status: 201, text: '{"Id":"x"}\n' });
});

test('an answer without a body is empty, whatever its status', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/plain', () => undefined);
    router.post('/created', (ctx) => {
      ctx.status = 201;
    });
    router.post('/none', (ctx) => {
      ctx.status = 204;
    });
  });
  t.like(await harness.ask('POST', '/plain'), { status: 200, text: '', headers: { 'content-length': '0' } });
  t.like(await harness.ask('POST', '/created'), { status: 201, text: '', headers: { 'content-length': '0' } });
  t.like(await harness.ask('POST', '/none'), { status: 204, text: '', headers: { 'content-length': undefined } });
});

test('HEAD is served where GET is, without the body', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/_ping', (ctx) => {
      ctx.body = 'OK';
    });
    router.head('/both', (ctx) => ctx.set('X-Own', 'yes'));
    router.get('/both', () => undefined);
  });
  t.like(await harness.ask('HEAD', '/_ping'), { status: 200, text: '', headers: { 'content-length': '2' } });
  t.is((await harness.ask('HEAD', '/both')).headers['x-own'], 'yes');
  t.is((await harness.ask('HEAD', '/absent')).status, 404);
});

test('unknown paths and wrong methods are not found', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/containers/create', () => undefined);
    router.get('/containers/:id/json', () => undefined);
  });
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/nosuch'],
    ['GET', '/containers/create'],
    ['GET', '/containers/a/b/json'],
    ['GET', '/containers//json'],
    ['PATCH', '/containers/a/json'],
    ['GET', '/vx/containers/a/json'],
    ['GET', '/containers/a/json/'],
    ['OPTIONS', '/containers/a/json'],
  ] as const) {
    const answer = await harness.ask(method, path);
    t.like(answer, { status: 404, headers: { 'content-type': 'application/json' } }, `${method} ${path}`);
    t.is(message(answer.text), 'page not found');
  }
});

test('parameters arrive whole and decoded once', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/images/*name/json', (ctx) => sendJson(ctx, ctx.params));
    router.get('/containers/:id/:what', (ctx) => sendJson(ctx, ctx.params));
    router.get('/images/search', (ctx) => {
      ctx.body = 'search';
    });
  });
  const params = async (path: string) => JSON.parse((await harness.ask('GET', path)).text) as unknown;
  t.deepEqual(await params('/images/localhost:5000/library/busybox:latest/json'), {
    name: 'localhost:5000/library/busybox:latest',
  });
  t.deepEqual(await params('/images/library%2Fbusybox%3Alatest/json'), { name: 'library/busybox:latest' });
  t.deepEqual(await params('/images/json/json'), { name: 'json' });
  t.deepEqual(await params('/containers/a%2525b%2Fc/top'), { id: 'a%25b/c', what: 'top' });
  t.is((await harness.ask('GET', '/images/search')).text, 'search');
  const broken = await harness.ask('GET', '/containers/%zz/top');
  t.is(broken.status, 400);
  t.is(message(broken.text), 'invalid URL escape in "%zz"');
});

test('of several routes that match, the first declared serves', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get(
      '/plugins/privileges',
      says(() => 'fixed'),
    );
    router.get(
      '/plugins/*name/json',
      says((ctx) => `json ${ctx.params.name}`),
    );
    router.get(
      '/plugins/:name',
      says((ctx) => `one ${ctx.params.name}`),
    );
    router.get(
      '/plugins/*name',
      says((ctx) => `rest ${ctx.params.name}`),
    );
  });
  const text = async (path: string) => (await harness.ask('GET', path)).text;
  t.is(await text('/plugins/privileges'), 'fixed');
  t.is(await text('/plugins/a'), 'one a');
  t.is(await text('/plugins/a/b'), 'rest a/b');
  t.is(await text('/plugins/a/b/json'), 'json a/b');
});

test('routes leave with their owner, and two owners cannot serve one path', async (t) => {
  const harness = await startHarness(t, (router) => void router.get('/volumes/:name', () => undefined));
  const error = t.throws(() =>
    harness.surface.routes('other', (router) => {
      router.get('/mine', () => undefined);
      router.get('/volumes/:id', () => undefined);
    }),
  );
  t.is(error?.message, 'other: GET /volumes/:id is served by test already');
  t.is((await harness.ask('GET', '/mine')).status, 404);
  const leave = harness.surface.routes('guest', (router) => void router.get('/guest/:id', () => undefined));
  t.is((await harness.ask('GET', '/guest/1')).status, 200);
  leave();
  t.is((await harness.ask('GET', '/guest/1')).status, 404);
});

test('errors have the status of their kind or of their route, and the words thrown', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/absent', () => {
      throw notFound('No such container: x');
    });
    router.post('/pull', statuses.conflictIsServerError, () => {
      throw conflict('plugin exists');
    });
    router.post('/start', () => {
      throw notModified('already started');
    });
    router.get('/foreign', () => {
      throw Object.assign(new Error('registry says no'), { statusCode: 401, status: 401, expose: true });
    });
    router.get('/odd', async () => {
      await Promise.reject('a string');
    });
  });
  const found = async (method: string, path: string) => {
    const { status, text } = await harness.ask(method, path);
    return [status, text === '' ? '' : message(text)];
  };
  t.deepEqual(await found('GET', '/absent'), [404, 'No such container: x']);
  t.deepEqual(await found('POST', '/pull'), [500, 'plugin exists']);
  t.deepEqual(await found('POST', '/start'), [304, '']);
  t.deepEqual(await found('GET', '/foreign'), [500, 'registry says no']);
  t.deepEqual(await found('GET', '/odd'), [500, 'a string']);
});

test('a surface words its errors, names its headers and has statuses of its own', async (t) => {
  const wrong = (router: Router) => {
    router.get('/wrong', () => {
      throw invalidArgument('since: no time');
    });
  };
  const harness = await startHarness(t, wrong, {
    headers: { 'Api-Version': '1.24' },
    errorBody: ({ status, message }) => ({ error: { code: status, text: message } }),
    errorStatus: (error) => (kindOf(error) === 'invalid-argument' ? 422 : undefined),
  });
  t.deepEqual(JSON.parse((await harness.ask('GET', '/wrong')).text), { error: { code: 422, text: 'since: no time' } });
  const answer = await harness.ask('GET', '/nosuch');
  t.is(answer.headers['api-version'], '1.24');
  t.deepEqual(JSON.parse(answer.text), { error: { code: 404, text: 'page not found' } });
});

test('only internal errors are logged as errors', async (t) => {
  const lines: string[] = [];
  const line = (facts: { event: string }) => void lines.push(facts.event);
  const log = { trace: line, debug: () => undefined, info: line, warn: line, error: line, child: () => log };
  const harness = await startHarness(
    t,
    (router) => {
      router.get('/bad', () => {
        throw internal('disk on fire');
      });
    },
    { log },
  );
  await harness.ask('GET', '/nosuch');
  t.deepEqual(lines, []);
  await harness.ask('GET', '/bad');
  t.deepEqual(lines, ['http.failed']);
});

test('a version prefix locks the version, and no prefix means the largest', async (t) => {
  const harness = await startHarness(
    t,
    (router) =>
      void router.get(
        '/info',
        says((ctx) => ctx.state.version),
      ),
    {
      versions: { min: '1.12', max: '1.24' },
    },
  );
  t.is((await harness.ask('GET', '/v1.24/info')).text, '1.24');
  t.is((await harness.ask('GET', '/v1.13/info')).text, '1.13');
  t.is((await harness.ask('GET', '/info?x=/v9/')).text, '1.24');
  t.is((await harness.ask('GET', 'http://engine/v1.13/info')).text, '1.13');
  const tooNew = await harness.ask('POST', '/v9.99/info', { headers: json, body: '{' });
  t.is(tooNew.status, 400);
  t.is(message(tooNew.text), 'client version 9.99 is too new. Maximum supported API version is 1.24');
  const tooOld = await harness.ask('GET', '/v1.9/info');
  t.is(tooOld.status, 400);
  t.is(
    message(tooOld.text),
    'client version 1.9 is too old. Minimum supported API version is 1.12, please upgrade your client to a newer version',
  );
});

test('hooks run in the order of their stages, and may answer themselves', async (t) => {
  const seen: string[] = [];
  const harness = await startHarness(
    t,
    (router) => void router.get('/info', (ctx) => sendJson(ctx, queryOf(ctx).all('q'))),
  );
  const note = (name: string) => harness.surface.use.bind(harness.surface, name as 'observe');
  for (const stage of ['translate', 'authorize', 'observe'] as const) {
    note(stage)(async (ctx, next) => {
      seen.push(`> ${stage}`);
      await next();
      seen.push(`< ${stage} ${ctx.status} ${ctx.state.route?.path}`);
    });
  }
  await harness.ask('GET', '/info');
  const route = '200 /info';
  t.deepEqual(seen, [
    '> observe',
    '> authorize',
    '> translate',
    `< translate ${route}`,
    `< authorize ${route}`,
    `< observe ${route}`,
  ]);
  const leave = harness.surface.use('authorize', async () => {
    throw new EngineError('forbidden', 'authorization denied by plugin x: no');
  });
  const refused = await harness.ask('GET', '/info');
  t.is(refused.status, 403);
  t.is(message(refused.text), 'authorization denied by plugin x: no');
  leave();
  t.is((await harness.ask('GET', '/info')).status, 200);
});

test('hooks change the query, the body, and the answer, also that of an error', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.post('/build', async (ctx) =>
      sendJson(ctx, { file: queryOf(ctx).string('buildfile'), body: (await rawBody(ctx)).toString() }),
    );
    router.get('/absent', () => {
      throw notFound('engine word');
    });
  });
  harness.surface.use('translate', async (ctx, next) => {
    queryOf(ctx).rename('dockerfile', 'buildfile');
    if (ctx.method === 'POST') replaceBody(ctx, Buffer.from((await rawBody(ctx)).toString().toUpperCase()));
    ctx.state.onHead((response) => response.setHeader('X-Last-Word', String(response.statusCode)));
    await next();
    ctx.state.answer = { ...(ctx.state.answer as object), translated: true };
  });
  const built = await harness.ask('POST', '/build?dockerfile=Dockerfile', { body: 'context' });
  t.deepEqual(JSON.parse(built.text), { file: 'Dockerfile', body: 'CONTEXT', translated: true });
  t.is(built.headers['x-last-word'], '200');
  const absent = await harness.ask('GET', '/absent');
  t.deepEqual(JSON.parse(absent.text), { message: 'engine word', translated: true });
  t.is(absent.headers['x-last-word'], '404');
});

test('a client that leaves aborts the signal', async (t) => {
  let state: Exchange | undefined;
  const harness = await startHarness(t, (router) => {
    router.post('/wait', async (ctx) => {
      state = ctx.state;
      await once(ctx.state.signal, 'abort');
    });
  });
  for (const leave of ['destroy', 'end'] as const) {
    state = undefined;
    const wire = await harness.wire('POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    while (!state) await new Promise(setImmediate);
    const aborted = once((state as Exchange).signal, 'abort');
    wire.socket[leave]();
    await aborted;
    wire.socket.destroy();
  }
  t.pass();
});

test('a client that ends its side behind the request still gets an answer', async (t) => {
  const harness = await startHarness(t, (router) => {
    router.get('/slow', async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      ctx.body = 'late';
    });
  });
  const wire = await harness.wire();
  wire.socket.end('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  t.regex(await wire.rest(), /late$/);
});

test.serial('JSON is answered without koa’s comparison with Response, which loads Node’s fetch', async (t) => {
  const known = Object.getOwnPropertyDescriptor(globalThis, 'Response') as PropertyDescriptor;
  t.teardown(() => Object.defineProperty(globalThis, 'Response', known));
  let uses = 0;
  const get = (): unknown => {
    uses++;
    return class {};
  };
  Object.defineProperty(globalThis, 'Response', { configurable: true, get });
  const { ask } = await startHarness(t, (router) => {
    router.get('/json', (ctx) => sendJson(ctx, { a: 1 }));
    router.get('/fails', () => {
      throw notFound('no');
    });
  });
  t.is((await ask('GET', '/json')).text, '{"a":1}\n');
  t.is((await ask('GET', '/fails')).text, '{"message":"no"}\n');
  t.is(uses, 0);
});
