import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { eventually, type TestEngine } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import { idOf, pull, startPuller } from './testing/harness.js';
import { digestOf, makeContent, sendBlob, startStandIn } from './testing/stand-in.js';

/** Large enough to arrive in several pieces, and not compressible to nothing. */
const noise = (seed: number) =>
  Array.from({ length: 60_000 }, (_, index) => digestOf(String(seed * index)).slice(7, 11)).join('');
const big = await makeContent([noise(3)]);
const [bigLayer = Buffer.alloc(0)] = big.layers;
const blobPath = `/v2/app/blobs/${digestOf(bigLayer)}`;
const blobs = (engine: TestEngine) => path.join(engine.directory, 'data/plugins/registry/blobs');
const kept = (engine: TestEngine) => readdir(blobs(engine));
const partOf = (engine: TestEngine) => path.join(blobs(engine), `${digestOf(bigLayer).slice('sha256:'.length)}.part`);

test('a download whose connection breaks goes on where it was', async (t) => {
  const engine = await startPuller(t);
  let breaks = 2;
  const registry = await startStandIn(t, (request, response) => {
    if (request.url !== blobPath || breaks === 0) return false;
    breaks -= 1;
    const start = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
    if (start > 0)
      response.writeHead(206, { 'Content-Range': `bytes ${start}-${bigLayer.length - 1}/${bigLayer.length}` });
    response.write(bigLayer.subarray(start, start + 40_000), () => setImmediate(() => response.destroy()));
    return true;
  });
  registry.serveImage('x', big);
  t.is((await pull(engine, { fromImage: `${registry.host}/app:x` })).error, undefined);
  t.is(await idOf(engine, `${registry.host}/app:x`), big.id);
  t.true(registry.headers.some(({ range }) => /^bytes=[1-9]\d*-$/.test(range ?? '')));
  t.deepEqual(await kept(engine), []);
});

/** A pull that got 30000 bytes when its client left, and the registry, which is well from then on. */
async function interrupted(t: ExecutionContext) {
  const engine = await startPuller(t);
  let isStalled = true;
  const registry = await startStandIn(t, (request, response) => {
    if (request.url !== blobPath || !isStalled) return false;
    response.writeHead(200, { 'Content-Length': bigLayer.length });
    response.write(bigLayer.subarray(0, 30_000));
    return true;
  });
  registry.serveImage('x', big);
  const pulling = await engine.open('POST', `/images/create?fromImage=${registry.host}/app&tag=x`);
  await eventually('the remains', async () => {
    const part = await stat(partOf(engine)).catch(() => undefined);
    return part?.size === 30_000;
  });
  pulling.leave();
  isStalled = false;
  registry.headers.length = 0;
  return { engine, registry };
}

test('a pull that was interrupted is resumed by the next daemon', async (t) => {
  const { engine, registry } = await interrupted(t);
  await engine.restart();
  t.is((await pull(engine, { fromImage: `${registry.host}/app:x` })).error, undefined);
  t.true(registry.headers.some(({ range }) => range === 'bytes=30000-'));
  t.is(await idOf(engine, `${registry.host}/app:x`), big.id);
});

test('what is resumed from damaged remains is fetched anew', async (t) => {
  const { engine, registry } = await interrupted(t);
  await engine.restart();
  const part = await open(partOf(engine), 'r+');
  await part.write('damage');
  await part.close();
  t.is((await pull(engine, { fromImage: `${registry.host}/app:x` })).error, undefined);
  t.is(registry.asked.filter((each) => each === `GET ${blobPath}`).length, 3);
  t.is(await idOf(engine, `${registry.host}/app:x`), big.id);
});

test('two pulls of one layer share its download, which ends when both have left', async (t) => {
  const engine = await startPuller(t);
  let gone = 0;
  const registry = await startStandIn(t, (request, response) => {
    if (request.url !== blobPath) return false;
    response.on('close', () => {
      gone += 1;
    });
    response.writeHead(200, { 'Content-Length': bigLayer.length });
    response.write(bigLayer.subarray(0, 10_000));
    return true;
  });
  registry.serveImage('x', big);
  registry.serveImage('y', big);
  const first = await engine.open('POST', `/images/create?fromImage=${registry.host}/app&tag=x`);
  const second = await engine.open('POST', `/images/create?fromImage=${registry.host}/app&tag=y`);
  const asked = () => registry.asked.filter((each) => each === `GET ${blobPath}`).length;
  await eventually('the download', () => asked() === 1);
  for (const { body } of [first, second]) body.resume();
  first.leave();
  // The engine has seen it by the time it answered others.
  for (let round = 0; round < 3; round += 1) await engine.ask('GET', '/images/json');
  t.is(gone, 0);
  second.leave();
  await eventually('the end of the download', () => gone === 1);
  t.is(asked(), 1);
});

test('content that is not what its digest says is refused, and not kept', async (t) => {
  const engine = await startPuller(t);
  const wrong = Buffer.from(bigLayer);
  wrong.fill(7, 100, 200);
  const registry = await startStandIn(t, (request, response) => {
    if (request.url !== blobPath) return false;
    sendBlob(request, response, wrong);
    return true;
  });
  registry.serveImage('x', big);
  const { error } = await pull(engine, { fromImage: `${registry.host}/app:x` });
  t.is(error, `filesystem layer verification failed for digest ${digestOf(bigLayer)}`);
  const again = await pull(engine, { fromImage: `${registry.host}/app:x` });
  t.is(again.error, error);
});

test('a blob of another length than its manifest says is refused', async (t) => {
  const engine = await startPuller(t);
  const registry = await startStandIn(t, (request, response) => {
    if (request.url !== blobPath) return false;
    // Without a length in its head, so that the bytes themselves are counted.
    response.write(bigLayer);
    response.end('more');
    return true;
  });
  registry.serveImage('x', big);
  const { error } = await pull(engine, { fromImage: `${registry.host}/app:x` });
  t.regex(error ?? '', new RegExp(`has more than the ${bigLayer.length} bytes`));
});

test('failures that pass are tried again, silence among them; refusals are not', async (t) => {
  const engine = await startPuller(t, { attempts: 3 });
  const impatient = await startPuller(t, { idleTimeoutSeconds: 1, attempts: 3 });
  let failures = 1;
  const registry = await startStandIn(t, (request, response) => {
    if (request.url === '/v2/app/manifests/x' && failures > 0) {
      failures -= 1;
      response.statusCode = 503;
      response.end();
      return true;
    }
    if (request.url === '/v2/app/manifests/silent') return true;
    if (request.url !== '/v2/app/manifests/forbidden') return false;
    response.statusCode = 403;
    response.end('{"errors":[{"code":"DENIED","message":"no"}]}');
    return true;
  });
  registry.serveImage('x', big);
  t.is((await pull(engine, { fromImage: `${registry.host}/app:x` })).error, undefined);
  t.like(await pull(engine, { fromImage: `${registry.host}/app:forbidden` }), {
    status: 404,
    error: `pull access denied for ${registry.host}/app, repository does not exist or may require 'docker login': denied: no`,
  });
  t.is(registry.asked.filter((each) => each.endsWith('forbidden')).length, 1);
  const silent = await pull(impatient, { fromImage: `${registry.host}/app:silent` });
  t.regex(silent.error ?? '', /no answer for 1 s/);
  t.is(registry.asked.filter((each) => each.endsWith('silent')).length, 3);
});
