import { invalidArgument } from '@gantry/core/errors';
import { formatReference, parseReference } from '@gantry/images/service';
import type { Attributes } from '../protocol/messages.js';

/** The names that an exporter gives the image. @throws EngineError `invalid-argument` for one with a digest. */
export function namesOf({ name = '' }: Attributes): readonly string[] {
  const names = name.split(',').filter((item) => item !== '');
  return names.map((text) => {
    const reference = parseReference(text);
    if (reference.digest !== undefined) throw invalidArgument(`name: "${text}" cannot have a digest`);
    return formatReference(reference);
  });
}
