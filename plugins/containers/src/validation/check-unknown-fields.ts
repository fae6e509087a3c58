import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { TSchema } from '@sinclair/typebox';
import { CreateBodySchema, UpdateBodySchema } from '../schema.js';

/** What clients copy from an inspect of another container: results, which no create can set. */
const results = new Set(
  'NetworkID EndpointID Gateway IPAddress IPPrefixLen IPv6Gateway GlobalIPv6Address GlobalIPv6PrefixLen DNSNames'.split(
    ' ',
  ),
);

/**
 * Refuses limits that a container can be created with, but not updated: it would go on with those it has.
 * @throws EngineError `invalid-argument` naming field and value.
 */
export function checkUpdatedFields(body: unknown): void {
  if (!isRecord(body)) return;
  const fixed = Object.keys(CreateBodySchema.properties.HostConfig.properties).filter(
    (key) => !(key in UpdateBodySchema.properties),
  );
  for (const key of fixed) {
    const value = valueAt(body, key);
    if (!isBlank(value)) throw invalidArgument(`${key}: ${JSON.stringify(value).slice(0, 80)} cannot be updated`);
  }
}

/**
 * Refuses fields of HostConfig, Healthcheck and NetworkingConfig that this engine does not know, such as those of later
 * versions of the API, when they have a value: the container would run otherwise than requested. Other keys at the top
 * are the client's own: some libraries send their options with the body.
 * @throws EngineError `invalid-argument` naming field and value.
 */
export function checkUnknownFields(body: unknown): void {
  if (!isRecord(body)) return;
  for (const [key, schema] of Object.entries(CreateBodySchema.properties)) check(schema, valueAt(body, key), key);
}

interface ReadSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
}

function check(schema: TSchema, value: unknown, at: string): void {
  const { properties, items, patternProperties } = schema as ReadSchema;
  if (items !== undefined && Array.isArray(value)) {
    for (const [index, each] of value.entries()) check(items, each, `${at}[${index}]`);
  } else if (patternProperties !== undefined && isRecord(value)) {
    const [inner] = Object.values(patternProperties);
    if (inner !== undefined) for (const key of Object.keys(value)) check(inner, value[key], `${at}["${key}"]`);
  } else if (properties !== undefined && Object.keys(properties).length > 0 && isRecord(value)) {
    const known = new Map(Object.keys(properties).map((key) => [key.toLowerCase(), key]));
    for (const key of Object.keys(value)) {
      const field = known.get(key.toLowerCase());
      if (field !== undefined) check(properties[field] as TSchema, value[key], `${at}.${field}`);
      else if (!isBlank(value[key]) && !results.has(key)) throw notSupported(`${at}.${key}`, value[key]);
    }
  }
}

const notSupported = (at: string, value: unknown) =>
  invalidArgument(`${at}: ${JSON.stringify(value).slice(0, 80)} is not supported`);

const valueAt = (body: Readonly<Record<string, unknown>>, key: string): unknown => {
  const name = Object.keys(body).find((candidate) => candidate.toLowerCase() === key.toLowerCase());
  return name === undefined ? undefined : body[name];
};

/** Clients send every field they know with its zero value. */
const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === 0 ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isBlank));
