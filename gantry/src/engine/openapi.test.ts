import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';
import { clientTypes, type OpenApiDocument } from '../testing/client-types.js';
import { specifiedRoutes } from '../testing/specified-routes.js';
import { createEngine } from './create-engine.js';
import type { Engine } from './engine.js';

let engine: Engine;
let document: OpenApiDocument;

test.before(async () => {
  engine = await createEngine();
  const { body } = await engine.open('GET /openapi.json');
  document = JSON.parse(await new Response(body as never).text()) as OpenApiDocument;
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
  const { request } = await import('node:http');
  const { text } = await import('node:stream/consumers');
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

test('the types of the client are those of the document', async (t) => {
  const file = fileURLToPath(new URL('../../../gantry-client/src/api-types.ts', import.meta.url));
  const types = clientTypes(document);
  if (process.env.GANTRY_UPDATE !== undefined) await writeFile(file, types);
  t.is(await readFile(file, 'utf8'), types, 'run this test with GANTRY_UPDATE=1');
});
