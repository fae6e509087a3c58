import { isDeepStrictEqual } from 'node:util';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** Fills in defaults and checks, as the kernel does at the start. @throws Error naming the path of what is wrong. */
export function parseConfig<S extends TSchema>(schema: S, given: unknown = {}): Static<S> {
  const config = Value.Default(schema, structuredClone(given));
  const error = Value.Errors(schema, config).First();
  if (error !== undefined) throw new Error(`config${error.path}: ${error.message}`);
  const known = Value.Clean(schema, structuredClone(config));
  if (!isDeepStrictEqual(known, config)) {
    throw new Error(`config has keys that its schema does not know: ${JSON.stringify(config)}`);
  }
  return config as Static<S>;
}
