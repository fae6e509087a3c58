import { spawnSync } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ImageExchange } from '@gantry/images/service';
import type { ExecutionContext } from 'ava';
import test from 'ava';
import { account } from './testing/distribution.js';
import { auth, idOf, pull, startPuller } from './testing/harness.js';
import { digestOf, makeContent, startStandIn } from './testing/stand-in.js';

const image = await makeContent(['content']);
const blobPath = `/v2/app/blobs/${digestOf(image.layers[0] ?? '')}`;

/** A registry that accepts one token, and a server that issues it for an account or an identity token. */
async function startTokens(t: ExecutionContext, options: { readonly takesGet?: boolean } = {}) {
  const asked: string[] = [];
  const give = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const url = new URL(request.url ?? '', 'http://tokens');
    const form = new URLSearchParams(await text(request));
    if (url.pathname !== '/token') return false;
    if (request.method === 'GET' && options.takesGet === false) {
      response.statusCode = 405;
      response.end();
      return true;
    }
    const basic = Buffer.from(String(request.headers.authorization).replace('Basic ', ''), 'base64').toString();
    const isKnown =
      basic === `${account.username}:${account.password}` ||
      form.get('refresh_token') === 'identity' ||
      (form.get('grant_type') === 'password' && form.get('password') === account.password);
    const scope = url.searchParams.get('scope') ?? form.get('scope');
    asked.push(`${request.method} ${url.searchParams.get('service') ?? form.get('service')} ${scope}`);
    response.statusCode = isKnown ? 200 : 401;
    response.end(JSON.stringify(isKnown ? { token: 'secret-token', refresh_token: 'identity' } : { details: 'who?' }));
    return true;
  };
  const tokens = await startStandIn(t, give);
  const registry = await startStandIn(t, (request, response) => {
    if (request.headers.authorization === 'Bearer secret-token') {
      if (request.url !== '/v2/') return false;
      response.end('{}');
      return true;
    }
    response.statusCode = 401;
    response.setHeader(
      'WWW-Authenticate',
      `Bearer realm="http://${tokens.host}/token",service="a, b",scope="repository:app:pull"`,
    );
    response.end('{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}');
    return true;
  });
  registry.serveImage('x', image);
  return { registry, asked };
}

test('a token is fetched with an account, with an identity token, or by POST where nothing else is taken', async (t) => {
  const engine = await startPuller(t);
  const { registry, asked } = await startTokens(t);
  const query = { fromImage: `${registry.host}/app:x` };
  t.is((await pull(engine, query, auth(account))).error, undefined);
  t.deepEqual([...new Set(asked)], ['GET a, b repository:app:pull']);
  t.is(asked.length, 1);
  t.is((await pull(engine, query, auth({ identitytoken: 'identity' }))).error, undefined);
  t.is(asked.at(-1), 'POST a, b repository:app:pull');
  t.is((await pull(engine, query, auth({ registrytoken: 'secret-token' }))).error, undefined);
  t.is(asked.length, 2);
  const refused = await pull(engine, query, auth({ ...account, password: 'wrong' }));
  t.is(refused.status, 404);
  const other = await startTokens(t, { takesGet: false });
  t.is((await pull(engine, { fromImage: `${other.registry.host}/app:x` }, auth(account))).error, undefined);
  t.is(other.asked.at(-1), 'POST a, b repository:app:pull');
});

test('a login answers with the identity token', async (t) => {
  const engine = await startPuller(t);
  const { registry } = await startTokens(t);
  const login = await engine.ask('POST', '/auth', {
    body: { ...account, serveraddress: `http://${registry.host}/v1/` },
  });
  t.deepEqual(login.json(), { Status: 'Login Succeeded', IdentityToken: 'identity' });
});

test('a registry that is never satisfied is asked a few times only', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t, (request, response) => {
    if (request.url?.startsWith('/token')) {
      response.end('{"token":"useless"}');
      return true;
    }
    response.statusCode = 401;
    response.setHeader('WWW-Authenticate', `Bearer realm="http://${request.headers.host}/token"`);
    response.end();
    return true;
  });
  t.is((await pull(engine, { fromImage: `${registry.host}/app:x` }, auth(account))).status, 404);
  t.true(registry.asked.length < 10);
});

test('credentials stay with their registry when it redirects, mirrors get none, and no file has them', async (t) => {
  const elsewhere = await startStandIn(t);
  elsewhere.serveImage('x', image);
  const registry = await startStandIn(t, (request, response) => {
    if (request.headers.authorization === undefined) {
      response.statusCode = 401;
      response.setHeader('WWW-Authenticate', 'Basic realm="x"');
      response.end();
      return true;
    }
    if (request.url !== blobPath) return false;
    response.statusCode = 307;
    response.setHeader('Location', `http://${elsewhere.host}${blobPath}`);
    response.end();
    return true;
  });
  registry.serveImage('x', image);
  const mirror = await startStandIn(t);
  const engine = await startPuller(t, { mirrors: { [registry.host]: [`http://${mirror.host}`] } });
  t.is((await pull(engine, { fromImage: `${registry.host}/app:x` }, auth(account))).error, undefined);
  t.deepEqual(elsewhere.asked, [`GET ${blobPath}`]);
  t.true(mirror.asked.includes('GET /v2/app/manifests/x'));
  t.true([...elsewhere.headers, ...mirror.headers].every(({ authorization }) => authorization === undefined));
  t.is(spawnSync('grep', ['-r', account.password, engine.directory]).status, 1);
});

test('what a mirror has comes from there', async (t) => {
  const registry = await startStandIn(t);
  const mirror = await startStandIn(t);
  mirror.serveImage('x', image);
  const engine = await startPuller(t, { mirrors: { [registry.host]: [`http://${mirror.host}`] } });
  t.is((await pull(engine, { fromImage: `${registry.host}/app:x` })).error, undefined);
  t.is(await idOf(engine, `${registry.host}/app:x`), image.id);
  t.deepEqual(registry.asked, []);
});

test('a redirect to what is not HTTP, or round and round, is refused', async (t) => {
  const engine = await startPuller(t);
  let target = 'file:///etc/passwd';
  const registry = await startStandIn(t, (request, response) => {
    if (request.url !== blobPath) return false;
    response.statusCode = 302;
    response.setHeader('Location', target);
    response.end();
    return true;
  });
  registry.serveImage('x', image);
  const query = { fromImage: `${registry.host}/app:x` };
  t.regex((await pull(engine, query)).error ?? '', /sends on to an address that is not HTTP/);
  target = blobPath;
  t.regex((await pull(engine, query)).error ?? '', /sent on too often/);
});

test('a name without a registry takes the credentials of the default registry from a keychain, and no others', async (t) => {
  const presented: (string | undefined)[] = [];
  const registry = await startStandIn(t, (request, response) => {
    if (!request.url?.startsWith('/v2/app/manifests')) return false;
    presented.push(request.headers.authorization);
    if (request.headers.authorization !== undefined) return false;
    response.statusCode = 401;
    response.setHeader('WWW-Authenticate', 'Basic realm="x"');
    response.end();
    return true;
  });
  registry.serveImage('x', image);
  const engine = await startPuller(t, { defaultRegistry: registry.host });
  const exchange = engine.kernel.service(ImageExchange);
  const other = { username: 'eve', password: 'of another registry' };
  const basic = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;
  const keychain = new Map([
    ['index.docker.io', other],
    [registry.host, account],
  ]);
  await exchange.pull({ reference: 'app:x', keychain });
  t.deepEqual(presented, [undefined, basic]);
  presented.length = 0;
  await t.throwsAsync(exchange.pull({ reference: 'app:x', keychain: new Map([['index.docker.io', other]]) }));
  t.deepEqual(presented, [undefined], 'those of the index stay here');
});
