import { isDeepStrictEqual } from 'node:util';
import type { Static, TSchema } from '@sinclair/typebox';
import { type EngineError, invalidArgument } from '../../errors/engine-error.js';
import { isRecord } from '../../values/is-record.js';
import { article, describe, type Schema } from './describe-schema.js';

/** Reads one value; `at` is its path, for messages. */
interface Decoder {
  decode(value: unknown, at: string): unknown;
  /** True when the value has the right JSON type, whatever is inside. */
  accepts(value: unknown): boolean;
  /** What `null` means inside a list or a map. */
  zero(at: string): unknown;
}

const decoders = new WeakMap<object, Decoder>();

/**
 * Reads a JSON value as clients of this API write it: keys match whatever their case, `null` is the same as leaving
 * the field out, unknown keys are ignored, absent fields take the schema's default. The result has the schema's own
 * keys and shares no mutable parts with the schema.
 *
 * Understands object, record, array, string, integer, number, boolean, null, literal, union and unknown schemas.
 *
 * @throws EngineError `invalid-argument` naming the field, the value and what was expected:
 * `HostConfig.Memory: "abc" is not an integer`.
 */
export function decode<S extends TSchema>(schema: S, value: unknown, root = 'the value'): Static<S> {
  try {
    return decoderOf(schema as Schema).decode(value, '') as Static<S>;
  } catch (error) {
    if (error instanceof Mismatch) throw error.named(root);
    throw error;
  }
}

/** Thrown inside; `decode` makes an EngineError of it. */
class Mismatch extends Error {
  constructor(
    readonly at: string,
    readonly words: string,
  ) {
    super(words);
  }

  named(root: string): EngineError {
    return invalidArgument(`${this.at === '' ? root : this.at}: ${this.words}`);
  }
}

const shown = (value: unknown): string => {
  // A number beyond all bounds would be shown as null.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
};

function mismatch(schema: Schema, value: unknown, at: string): Mismatch {
  return new Mismatch(at, `${shown(value)} is not ${article(describe(schema))}`);
}

function decoderOf(schema: Schema): Decoder {
  const known = decoders.get(schema);
  if (known) return known;
  const decoder = compile(schema);
  decoders.set(schema, decoder);
  return decoder;
}

function compile(schema: Schema): Decoder {
  if (schema.const !== undefined) return plain(schema, (value) => value === schema.const, schema.const);
  if (schema.anyOf) return union(schema, schema.anyOf);
  switch (schema.type) {
    case 'string': {
      const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
      const fits = (value: string) =>
        value.length >= (schema.minLength ?? 0) &&
        value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
        (pattern?.test(value) ?? true);
      return plain(
        schema,
        (value) => typeof value === 'string',
        '',
        (value) => fits(value as string),
      );
    }
    case 'integer':
      return plain(schema, Number.isInteger, 0, (value) => inRange(schema, value as number));
    case 'number':
      return plain(schema, Number.isFinite, 0, (value) => inRange(schema, value as number));
    case 'boolean':
      return plain(schema, (value) => typeof value === 'boolean', false);
    case 'null':
      return plain(schema, (value) => value === null, null);
    case 'array':
      return list(schema, schema.items ?? {});
    case 'object':
      return schema.patternProperties ? map(schema, Object.values(schema.patternProperties)[0] ?? {}) : object(schema);
    case undefined:
      return plain(schema, () => true, null);
    default:
      throw new TypeError(`a schema of type "${schema.type}" cannot be decoded`);
  }
}

const inRange = ({ minimum, maximum }: Schema, value: number): boolean =>
  value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY);

function plain(
  schema: Schema,
  accepts: (value: unknown) => boolean,
  zero: unknown,
  fits: (value: unknown) => boolean = () => true,
): Decoder {
  return {
    accepts,
    zero: () => zero,
    decode(value, at) {
      if (!accepts(value) || !fits(value)) throw mismatch(schema, value, at);
      return value;
    },
  };
}

function list(schema: Schema, items: Schema): Decoder {
  const item = decoderOf(items);
  return {
    accepts: Array.isArray,
    zero: () => [],
    decode(value, at) {
      if (!Array.isArray(value)) throw mismatch(schema, value, at);
      return value.map((each: unknown, index) => element(item, each, `${at}[${index}]`));
    },
  };
}

function map(schema: Schema, values: Schema): Decoder {
  const value = decoderOf(values);
  return {
    accepts: isRecord,
    zero: () => ({}),
    decode(given, at) {
      if (!isRecord(given)) throw mismatch(schema, given, at);
      // fromEntries defines properties, so that a key such as __proto__ is a key and nothing else.
      return Object.fromEntries(Object.keys(given).map((key) => [key, element(value, given[key], `${at}["${key}"]`)]));
    },
  };
}

const element = (decoder: Decoder, value: unknown, at: string): unknown =>
  value === null && !decoder.accepts(null) ? decoder.zero(at) : decoder.decode(value, at);

interface Field {
  readonly key: string;
  readonly schema: Schema;
  readonly decoder: Decoder;
  readonly required: boolean;
}

function object(schema: Schema): Decoder {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([key, field]): Field => ({
      key,
      schema: field,
      decoder: decoderOf(field),
      required: schema.required?.includes(key) ?? false,
    }),
  );
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const byLowerKey = new Map(fields.map((field) => [field.key.toLowerCase(), field]));
  const decoder: Decoder = {
    accepts: isRecord,
    zero: (at) => decoder.decode({}, at),
    decode(value, at) {
      if (!isRecord(value)) throw mismatch(schema, value, at);
      const result: Record<string, unknown> = {};
      for (const key of Object.keys(value)) {
        const field = byKey.get(key) ?? byLowerKey.get(key.toLowerCase());
        const given = value[key];
        if (field === undefined || (given === null && !field.decoder.accepts(null))) continue;
        const place = at === '' ? field.key : `${at}.${field.key}`;
        const decoded = field.decoder.decode(given, place);
        // Which of two spellings counts is a matter of the reader: a plugin that authorizes may take the other one.
        if (Object.hasOwn(result, field.key) && !isDeepStrictEqual(result[field.key], decoded)) {
          throw new Mismatch(place, `is given twice, by keys that differ in case, as ${shown(given)} too`);
        }
        result[field.key] = decoded;
      }
      for (const field of fields) if (!Object.hasOwn(result, field.key)) complete(result, field, at);
      return result;
    },
  };
  return decoder;
}

function complete(result: Record<string, unknown>, { key, schema, required }: Field, at: string): void {
  if (schema.default !== undefined) result[key] = structuredClone(schema.default);
  else if (required) throw new Mismatch(at === '' ? key : `${at}.${key}`, 'is required');
}

function union(schema: Schema, variants: readonly Schema[]): Decoder {
  const all = variants.map(decoderOf);
  return {
    accepts: (value) => all.some((variant) => variant.accepts(value)),
    zero: (at) => all[0]?.zero(at),
    decode(value, at) {
      const fitting = all.filter((variant) => variant.accepts(value));
      let failure: unknown = mismatch(schema, value, at);
      for (const variant of fitting) {
        try {
          return variant.decode(value, at);
        } catch (error) {
          // With one variant of that type its own complaint says more than the list of variants.
          if (fitting.length === 1) failure = error;
        }
      }
      throw failure;
    },
  };
}
