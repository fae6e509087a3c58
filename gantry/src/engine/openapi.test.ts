import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test, { type ExecutionContext } from 'ava';
import type { CallOptions } from 'gantry-client';
import { clientTypes, type OpenApiDocument } from '../testing/client-types.js';
import { specifiedRoutes } from '../testing/specified-routes.js';
import { createEngine } from './create-engine.js';
import type { Engine } from './engine.js';

let engine: Engine;
let document: OpenApiDocument;

test.before(async () => {
  engine = await createEngine();
  const { body } = await engine.open('GET /openapi.json');
  document = JSON.parse(await text(body)) as OpenApiDocument;
});

test.after.always(() => engine?.close());

test('the document of what is served is valid OpenAPI 3.1', async (t) => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document) as never);
  t.true(valid, JSON.stringify(errors));
  t.is(validator.version, '3.1');
  t.is(document.info.version, '1.51');
});

test('every route of the specification is in the document', (t) => {
  const found = new Set(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`),
    ),
  );
  t.deepEqual(
    specifiedRoutes.filter((route) => !found.has(route)),
    [],
  );
});

test('every route that the engine comes with is described', (t) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => ({ route: `${method} ${path}`, summary })),
  );
  t.deepEqual(
    operations.filter(({ summary }) => summary === 'Not described').map(({ route }) => route),
    [],
  );
  t.true(operations.length > 100);
});

test('there is no document of versions before the newest', async (t) => {
  const old = await fetchStatus('/v1.24/openapi.json');
  t.deepEqual(old, { status: 404, message: 'there is a document of API 1.51 only, and not of 1.24' });
});

async function fetchStatus(path: string) {
  const socketPath = (await engine.listen()).replace('unix://', '');
  return new Promise((resolve, reject) => {
    request({ socketPath, path }, async (response) => {
      const { message } = JSON.parse(await text(response)) as { readonly message: string };
      resolve({ status: response.statusCode, message });
    })
      .on('error', reject)
      .end();
  });
}

/** @returns sends a request, and compares the answer with the schema of its status; and the routes that were asked. */
function checkedCalls(t: ExecutionContext) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  t.false(ajv.compile({ $ref: 'document#/components/schemas/ContainerSummary' })({ Id: 'without the rest' }));
  const checked: string[] = [];
  const call = async (route: string, options: CallOptions = {}): Promise<Record<string, unknown>> => {
    const { status, body } = await engine.open(route, options);
    const answer = await text(body);
    const [method = '', path = ''] = route.split(' ');
    const place = ['paths', path, method.toLowerCase(), 'responses', String(status)];
    const response = document.paths[path]?.[method.toLowerCase()]?.responses[status];
    t.truthy(response, `${route} answered ${status}, which the document lacks`);
    const schema = response?.content?.['application/json']?.schema;
    if (schema === undefined) return {};
    const pointer = [...place, 'content', 'application/json', 'schema'].map(escaped).join('/');
    const validate = ajv.compile({ $ref: `document#/${pointer}` });
    const values = response?.['x-stream'] === true ? answer.trim().split('\n') : [answer];
    for (const value of values) {
      t.true(validate(JSON.parse(value)), `${route}: ${JSON.stringify(validate.errors)} in ${value.slice(0, 2000)}`);
    }
    checked.push(route);
    return JSON.parse(values[0] ?? '') as Record<string, unknown>;
  };
  return { call, checked };
}

test('what the engine answers is what the document says', async (t) => {
  const { call, checked } = checkedCalls(t);
  const name = { path: { name: 'documented' } };
  await call('POST /volumes/create', { body: { Name: 'documented', Labels: { a: 'b' } } });
  await call('GET /volumes');
  await call('GET /volumes/{name}', name);
  const network = { path: { id: String((await call('POST /networks/create', { body: { Name: 'documented' } })).Id) } };
  const created = await call('POST /containers/create', {
    query: { name: 'documented' },
    body: {
      Image: 'busybox',
      Cmd: ['sh', '-c', 'echo began; touch /new; exec sleep 600'],
      ExposedPorts: { '80/tcp': {} },
      Healthcheck: { Test: ['CMD', 'true'], Interval: 100_000_000 },
      HostConfig: {
        NetworkMode: 'documented',
        Binds: ['documented:/v'],
        PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1' }] },
      },
    },
  });
  const id = { path: { id: String(created.Id) } };
  await call('POST /containers/{id}/start', id);
  await call('GET /containers/json', { query: { all: true, size: true } });
  await call('GET /containers/{id}/json', { ...id, query: { size: true } });
  await call('GET /containers/{id}/top', id);
  await call('GET /containers/{id}/changes', id);
  await call('GET /containers/{id}/stats', { ...id, query: { stream: false, 'one-shot': true } });
  await call('POST /containers/{id}/update', { ...id, body: { Memory: 64 * 2 ** 20, MemorySwap: -1 } });
  const exec = await call('POST /containers/{id}/exec', { ...id, body: { Cmd: ['true'] } });
  await call('GET /exec/{id}/json', { path: { id: String(exec.Id) } });
  await call('GET /networks');
  await call('GET /networks/{id}', network);
  await call('POST /commit', { query: { container: 'documented', repo: 'documented', tag: '1' } });
  await call('GET /images/json');
  await call('GET /images/{name}/json', { path: { name: 'documented:1' } });
  await call('GET /images/{name}/history', { path: { name: 'documented:1' } });
  await call('DELETE /images/{name}', { path: { name: 'documented:1' } });
  await call('GET /system/df');
  await call('GET /info');
  await call('GET /version');
  await call('GET /doctor');
  await call('GET /plugins');
  await call('POST /containers/{id}/kill', id);
  await call('POST /containers/{id}/wait', id);
  await call('DELETE /containers/{name}', { ...name, query: { v: true } });
  await call('GET /events', { query: { since: '0', until: String(Math.floor(Date.now() / 1000) + 1) } });
  for (const kind of ['containers', 'networks', 'volumes', 'images', 'build']) await call(`POST /${kind}/prune`);
  t.true(checked.length > 30, checked.join());
});

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

test('the types of the client are those of the document', async (t) => {
  const directory = fileURLToPath(new URL('../../../gantry-client/src/', import.meta.url));
  const types = clientTypes(document);
  for (const [name, text] of types) {
    const file = path.join(directory, name);
    if (process.env.GANTRY_UPDATE !== undefined) await writeFile(file, text);
    t.is(await readFile(file, 'utf8'), text, 'run this test with GANTRY_UPDATE=1');
  }
  const areas = (await readdir(path.join(directory, 'api-types'))).map((name) => `api-types/${name}`);
  t.deepEqual([...areas, 'api-types.ts'].sort(), [...types.keys()].sort());
});
