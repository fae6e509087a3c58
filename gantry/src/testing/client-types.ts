type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Json;
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
}

type ContentMap = Readonly<Record<string, { readonly schema?: Json }>>;

interface DocumentOperation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: ContentMap };
  readonly responses: Readonly<Record<string, { readonly content?: ContentMap; readonly 'x-stream'?: boolean }>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

const head =
  '// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.\n';

const archive = `/** Bytes that are sent or come as they are. */
export type Archive = string | Uint8Array | AsyncIterable<Uint8Array>;
`;

/** The file of types that routes of more than one area use. */
const shared = 'shared';

/**
 * The files of the client's types, by their names: for each area, as the tags of operations name it, its types and routes, and
 * one file that has them all.
 */
export function clientTypes({ components, paths }: OpenApiDocument): ReadonlyMap<string, string> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      area: operation.tags[0] ?? shared,
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const areas = [...new Set(operations.map(({ area }) => area))].sort();
  const areasOf = new Map<string, Set<string>>();
  for (const { area, operation } of operations) {
    for (const name of schemasOf(operation, components.schemas)) {
      areasOf.set(name, (areasOf.get(name) ?? new Set()).add(area));
    }
  }
  const placeOf = (name: string): string => {
    const [area, ...others] = areasOf.get(name) ?? [];
    return area === undefined || others.length > 0 ? shared : area;
  };
  const files = [shared, ...areas].map((area): [string, string] => {
    const types = Object.entries(components.schemas)
      .filter(([name]) => placeOf(name) === area)
      .map(([name, schema]) => `export type ${name} = ${typeOf(schema, '')};\n`);
    const routes = operations.filter((each) => each.area === area).map((each) => routeOf(each.route, each.operation));
    if (area === shared) types.unshift(archive);
    else types.push(`export interface ${interfaceOf(area)} {\n${routes.join('')}}\n`);
    const text = types.join('\n');
    const imported = [...Object.keys(components.schemas), 'Archive']
      .filter((name) => area !== shared && placeOf(name) === shared && new RegExp(`\\b${name}\\b(?!\\??:)`).test(text))
      .sort();
    const imports = imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from './${shared}.js';\n\n`;
    return [`api-types/${area}.ts`, `${head}${imports === '' ? '\n' : imports}${text}`];
  });
  return new Map([...files, ['api-types.ts', wholeOf(areas)]]);
}

function wholeOf(areas: readonly string[]): string {
  const imports = areas.map((area) => `import type { ${interfaceOf(area)} } from './api-types/${area}.js';\n`);
  const exports = [shared, ...areas].map((area) => `export type * from './api-types/${area}.js';\n`);
  const interfaces = areas.map((area) => `    ${interfaceOf(area)}`).join(',\n');
  const routes = `/** What each route takes and answers. */\nexport interface Routes\n  extends\n${interfaces} {}\n`;
  return `${head}${imports.join('')}\n${exports.join('')}\n${routes}`;
}

/** `ContainerLogsRoutes` of `container-logs`. */
const interfaceOf = (area: string): string =>
  `${area.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Routes`;

/** The schemas that a part of the document refers to, and those that they refer to. */
function schemasOf(part: unknown, schemas: OpenApiDocument['components']['schemas'], found = new Set<string>()) {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    schemasOf(schemas[name], schemas, found);
  }
  return found;
}

const key = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name).replaceAll('"', "'");

function routeOf(route: string, operation: DocumentOperation): string {
  const of = (place: Parameter['in']) => (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  const groups = (['path', 'query', 'header'] as const).flatMap((place) => {
    const parameters = of(place);
    if (parameters.length === 0) return [];
    const fields = parameters.map((parameter) =>
      field(parameter.name, parameterType(parameter), parameter.required === true),
    );
    const isOptional = parameters.every(({ required }) => required !== true);
    const name = place === 'header' ? 'headers' : place;
    return [`readonly ${name}${isOptional ? '?' : ''}: { ${fields.join(' ')} };`];
  });
  const { requestBody } = operation;
  const body = requestBody === undefined ? [] : [field('body', contentType(requestBody.content), requestBody.required)];
  return [
    `  /** ${operation.summary}. */\n`,
    `  ${key(route)}: {\n`,
    `    readonly options: { ${[...groups, ...body].join(' ')} };\n`,
    `    ${answerOf(operation)}\n`,
    '  };\n',
  ].join('');
}

const field = (name: string, type: string, isRequired: boolean): string =>
  `readonly ${key(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;

const parameterType = ({ content, schema }: Parameter): string =>
  content === undefined
    ? typeOf(schema ?? {}, '')
    : (Object.values(content).map(({ schema: inside }) =>
        inside === undefined ? 'Readonly<Record<string, readonly string[]>>' : typeOf(inside, ''),
      )[0] ?? 'unknown');

const contentType = (content: ContentMap): string =>
  Object.entries(content)
    .map(([type, { schema }]) => (type === 'application/json' ? typeOf(schema ?? {}, '') : 'Archive'))
    .join(' | ');

/** The first answer of success says what comes. */
function answerOf({ responses }: DocumentOperation): string {
  const success = Object.entries(responses).find(([status]) => /^(1|2)/.test(status))?.[1];
  const content = success?.content;
  if (content === undefined) return 'readonly answer: undefined;';
  const [type, { schema }] = Object.entries(content)[0] as [string, { readonly schema?: Json }];
  if (type !== 'application/json') return type === 'text/plain' ? "readonly bytes: 'text';" : "readonly bytes: 'raw';";
  return `readonly ${success?.['x-stream'] === true ? 'items' : 'answer'}: ${typeOf(schema ?? {}, '')};`;
}

function typeOf(schema: Json, indent: string): string {
  const { $ref, type, anyOf, items, properties, additionalProperties, required } = schema as {
    readonly $ref?: string;
    readonly type?: string;
    readonly anyOf?: readonly Json[];
    readonly items?: Json;
    readonly properties?: Readonly<Record<string, Json>>;
    readonly additionalProperties?: Json;
    readonly required?: readonly string[];
  };
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  if ('const' in schema) return typeof schema.const === 'string' ? `'${schema.const}'` : JSON.stringify(schema.const);
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeOf(each, indent)))].join(' | ');
  if (type === 'array') return `readonly ${parenthesized(typeOf(items ?? {}, indent))}[]`;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type !== 'object') return 'unknown';
  if (properties === undefined || Object.keys(properties).length === 0) {
    const isMap = typeof additionalProperties === 'object';
    return `Readonly<Record<string, ${isMap ? typeOf(additionalProperties, indent) : 'unknown'}>>`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, each]) =>
      `${comment(each, inner)}${inner}${field(name, typeOf(each, inner), required?.includes(name) === true)}\n`,
  );
  return `{\n${fields.join('')}${indent}}`;
}

const comment = ({ description }: Json, indent: string): string =>
  typeof description === 'string' ? `${indent}/** ${description} */\n` : '';

const parenthesized = (type: string): string => (/[ |]/.test(type) && !/^[{R]/.test(type) ? `(${type})` : type);
