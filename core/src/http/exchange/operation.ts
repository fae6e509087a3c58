import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** What a route sends or takes: its media type, and the schema of its JSON. */
export interface Content {
  readonly type: string;
  /** Of the JSON, or of each object of a stream of them; without it what is sent is not described. */
  readonly schema?: TSchema;
  /** What a schema cannot say. */
  readonly note?: string;
  /** One such object a line, as they come. */
  readonly isStream?: boolean;
}

/** What a route does, for people and for programs: the document of an API is made of these. */
export interface Operation {
  readonly summary: string;
  /** Parameters of the query. */
  readonly query?: TProperties;
  readonly headers?: TProperties;
  readonly body?: Content & { readonly isOptional?: boolean };
  /** Without errors, which have one form everywhere. */
  readonly answers: Readonly<Record<number, Content | undefined>>;
}

/** Operations by method and path, as the routes are declared: `GET /containers/:id/json`. */
export type Operations = Readonly<Record<string, Operation>>;

/** Gives a schema the name that it has in the document, which other schemas refer to. */
export const named = <S extends TSchema>(name: string, schema: S): S => ({ ...schema, $id: name });

/** Parameters of a query. */
export const parameter = {
  flag: (description: string) =>
    Type.Optional(Type.Boolean({ description: `${description}; 0, false, no, none and empty mean false` })),
  whole: (description: string) => Type.Optional(Type.Integer({ description })),
  text: (description: string) => Type.Optional(Type.String({ description })),
  requiredText: (description: string) => Type.String({ description }),
  requiredWhole: (description: string) => Type.Integer({ description }),
  texts: (description: string) => Type.Optional(Type.Array(Type.String(), { description })),
  time: (description: string) =>
    Type.Optional(Type.String({ description: `${description}: seconds since 1970, or a time such as RFC 3339 has` })),
  /** JSON within the query. */
  json: <S extends TSchema>(schema: S, description: string) =>
    Type.Optional(
      Type.Unsafe<S>({ ...Type.String({ contentMediaType: 'application/json' }), contentSchema: schema, description }),
    ),
  filters: (keys: readonly string[]) =>
    Type.Optional(
      Type.String({
        contentMediaType: 'application/json',
        description: `JSON, a map of lists such as {"label":["a=b"]}; keys: ${[...keys].sort().join(', ')}`,
      }),
    ),
};

/** Bodies and answers. */
export const content = {
  json: (schema: TSchema): Content => ({ type: 'application/json', schema }),
  lines: (schema: TSchema): Content => ({
    type: 'application/json',
    schema,
    note: 'a stream of such objects',
    isStream: true,
  }),
  text: { type: 'text/plain', schema: Type.String() },
  archive: { type: 'application/x-tar', note: 'a tar archive' },
  /** The connection itself, after 101 or 200. */
  raw: { type: 'application/vnd.engine.raw-stream', note: 'raw bytes both ways' },
  /** Output of a process: framed, unless it has a terminal. */
  output: { type: 'application/vnd.engine.multiplexed-stream', note: 'frames of two streams; raw with a terminal' },
  /** What is answered, but not described. */
  undescribed: (note: string): Content => ({ type: 'application/json', note }),
  none: undefined,
} as const;
