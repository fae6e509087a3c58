import { decode } from '@gantry/core/http';
import { type CreateBody, CreateBodySchema, type UpdateBody, UpdateBodySchema } from '../schema.js';
import { checkUnknownFields, checkUpdatedFields } from '../validation/check-unknown-fields.js';
import { checkValues } from '../validation/check-values.js';

/** @throws EngineError `invalid-argument` naming field and value. */
export function decodeCreateBody(body: unknown): CreateBody {
  checkUnknownFields(body);
  const decoded = decode(CreateBodySchema, body, 'the request body');
  checkValues(decoded);
  return decoded;
}

/** @throws EngineError `invalid-argument` naming field and value. */
export function decodeUpdateBody(body: unknown): UpdateBody {
  checkUpdatedFields(body);
  const decoded = decode(UpdateBodySchema, body, 'the request body');
  checkValues(decoded);
  return decoded;
}
