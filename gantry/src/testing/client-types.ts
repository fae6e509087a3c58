/** Writes the types of the client: those of an OpenAPI document's schemas, and its routes with what they take and answer. */

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

const head = `// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

/** Bytes that are sent or come as they are. */
type Archive = string | Uint8Array | AsyncIterable<Uint8Array>;
`;

export function clientTypes({ components, paths }: OpenApiDocument): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => routeOf(`${method.toUpperCase()} ${path}`, operation)),
  );
  return `${head}\n${types.join('\n')}\n/** What each route takes and answers. */\nexport interface Routes {\n${routes.join('')}}\n`;
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
