import { Kind, OptionalKind, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { EngineError } from '../../errors/engine-error.js';

/**
 * Parses a configuration value: defaults filled in, unknown keys refused at every level.
 * @throws EngineError `invalid-argument` with one line naming the key's path, the value and what is expected.
 */
export function parseConfig<S extends TSchema>(schema: S, value: unknown, where: string): Static<S> {
  const unknownKey = findUnknownKey(schema, value, where);
  if (unknownKey !== undefined) throw new EngineError('invalid-argument', unknownKey);
  const filled = Value.Default(schema, structuredClone(value ?? {}));
  const first = Value.Errors(schema, filled).First();
  if (first !== undefined) {
    const path = `${where}${first.path.replaceAll('/', '.')}`;
    throw new EngineError(
      'invalid-argument',
      `${path}: ${JSON.stringify(first.value) ?? 'nothing'} is not accepted: ${first.message.toLowerCase()}`,
    );
  }
  return filled as Static<S>;
}

const isObjectSchema = (schema: TSchema): schema is TObject => schema[Kind] === 'Object';

function findUnknownKey(schema: TSchema, value: unknown, where: string): string | undefined {
  if (!isObjectSchema(schema) || typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const known = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (known === undefined) {
      const names = Object.keys(schema.properties).join(', ') || 'none';
      return `${where}.${key}: there is no such key; there are: ${names}`;
    }
    const deeper = findUnknownKey(known, inner, `${where}.${key}`);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** One line for each key of a schema, for `gantryd --help-config` and the packages' documentation. */
export function describeSchema(schema: TSchema, where: string): readonly string[] {
  if (!isObjectSchema(schema)) return [];
  return Object.entries(schema.properties).flatMap(([key, inner]) => {
    const path = `${where}.${key}`;
    const optional = inner[OptionalKind] === 'Optional' || inner.default !== undefined;
    const fallback = inner.default === undefined ? '' : ` (default ${JSON.stringify(inner.default)})`;
    const line = `${path}${optional ? '' : ' (required)'}${fallback}: ${inner.description ?? inner.type ?? ''}`;
    return [line, ...describeSchema(inner, path)];
  });
}
