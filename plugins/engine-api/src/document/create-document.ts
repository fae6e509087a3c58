import { type Content, named, type Operation, type Route } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { type JsonSchema, JsonSchemas } from './json-schemas.js';

/** Every error of the API. */
const ErrorAnswer = named('Error', Type.Object({ message: Type.String() }));

interface DocumentFacts {
  /** Of the API. */
  readonly apiVersion: string;
  readonly engineVersion: string;
}

type Methods = Record<string, object>;

/**
 * The OpenAPI document of routes that are mounted. A route whose owner does not say what it does is listed, and marked as
 * not described.
 */
export function createDocument(routes: readonly Route[], { apiVersion, engineVersion }: DocumentFacts): object {
  const schemas = new JsonSchemas();
  const failure = {
    description: 'what went wrong',
    content: { 'application/json': { schema: schemas.add(ErrorAnswer) } },
  };
  const paths: Record<string, Methods> = {};
  /** Two paths that differ in the names of their parameters are one to OpenAPI. */
  const spellings = new Map<string, string>();
  for (const route of routes) {
    if (route.method === 'OPTIONS') continue;
    const { shape, template } = templateOf(route.path);
    const path = spellings.get(shape) ?? template;
    spellings.set(shape, path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, path, schemas, failure) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Container Engine API',
      version: apiVersion,
      summary: `As this engine, Gantry ${engineVersion}, serves it`,
      description:
        'Generated from the routes that are mounted and the schemas that requests are checked with. Older versions of the API are served, too, and not described here.',
    },
    servers: [{ url: `/v${apiVersion}` }],
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: { schemas: schemas.named },
  };
}

/** `/images/*name/json` is `/images/{name}/json`. */
function templateOf(path: string): { readonly shape: string; readonly template: string } {
  return {
    shape: path.replaceAll(/\/[:*][^/]+/g, '/{}'),
    template: path.replaceAll(/\/[:*]([^/]+)/g, '/{$1}'),
  };
}

function toOperation(
  { method, owner, operation, path: pattern }: Route,
  path: string,
  schemas: JsonSchemas,
  failure: object,
) {
  const pathParameters = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(pattern.includes(`*${name}`) && { description: 'may have slashes' }),
  }));
  const common = { operationId: idOf(method, path), tags: [owner] };
  if (operation === undefined) {
    return {
      ...common,
      summary: 'Not described',
      parameters: pathParameters,
      responses: { default: { description: 'not described' } },
    };
  }
  const parameters = [...pathParameters, ...parametersOf(operation, schemas)];
  return {
    ...common,
    summary: operation.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body !== undefined && {
      requestBody: { required: operation.body.isOptional !== true, content: contentOf(operation.body, schemas) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [status, responseOf(answer, schemas)]),
      ),
      default: failure,
    },
  };
}

function parametersOf({ query = {}, headers = {} }: Operation, schemas: JsonSchemas) {
  const of = (place: 'query' | 'header', properties: NonNullable<Operation['query']>) =>
    Object.entries(properties).map(([name, schema]) => {
      const { description, ...rest } = schemas.add(schema) as { readonly description?: string };
      const isRequired = !Object.getOwnPropertySymbols(schema).some(
        (symbol) => symbol.description === 'TypeBox.Optional',
      );
      return {
        name,
        in: place,
        ...(description !== undefined && { description }),
        ...(isRequired && { required: true }),
        ...jsonOrSchema(rest),
      };
    });
  return [...of('query', query), ...of('header', headers)];
}

/** JSON within a parameter has a media type of its own. */
function jsonOrSchema(schema: JsonSchema): object {
  const { contentMediaType, contentSchema, ...rest } = schema;
  if (contentMediaType === undefined) return { schema: rest };
  return { content: { [String(contentMediaType)]: contentSchema === undefined ? {} : { schema: contentSchema } } };
}

const responseOf = (answer: Content | undefined, schemas: JsonSchemas): object =>
  answer === undefined
    ? { description: 'done' }
    : {
        description: answer.note ?? 'the answer',
        ...(answer.isStream && { 'x-stream': true }),
        content: contentOf(answer, schemas),
      };

const contentOf = ({ type, schema, note }: Content, schemas: JsonSchemas): object => ({
  [type]:
    schema === undefined
      ? note === undefined
        ? {}
        : { schema: { description: note } }
      : { schema: schemas.add(schema) },
});

/** `GET /containers/{id}/json` is `getContainersIdJson`. */
const idOf = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');
