import { EngineError, internal, notFound } from '@gantry/core/errors';
import { ConnectionError, RegistryError } from '../transport/registry-error.js';

/** A failure of a pull in the words clients look for. `reference` is `name:tag`, `name` without it. */
export function pullError(error: unknown, name: string, reference: string): unknown {
  if (error instanceof ConnectionError) return internal(error.message, { cause: error });
  if (!(error instanceof RegistryError)) return error;
  const { message, code, status } = error;
  if (code === 'NAME_UNKNOWN') return notFound(`repository ${name} not found: ${message}`, { cause: error });
  if (code === 'MANIFEST_UNKNOWN' || (status === 404 && code === undefined)) {
    return notFound(`manifest for ${reference} not found: ${message}`, { cause: error });
  }
  if (error.isRefusal) {
    const words = `pull access denied for ${name}, repository does not exist or may require 'docker login': ${message}`;
    return notFound(words, { cause: error });
  }
  return internal(message, { cause: error });
}

/** The same for what is neither about a name nor a tag. */
export function plainError(error: unknown): unknown {
  if (EngineError.is(error)) return error;
  if (error instanceof ConnectionError || error instanceof RegistryError) {
    return internal(error.message, { cause: error });
  }
  return error;
}
