import { isRecord } from '@gantry/core/driver';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import type { Query } from '@gantry/core/http';
import { type Platform, usualVariant } from './platform.js';

/**
 * The platform that a query parameter has as JSON, such as `{"os":"linux","architecture":"arm64"}`; undefined without
 * one. @throws EngineError `invalid-argument` for several, and for one that is malformed.
 */
export function platformParameter(query: Query, name: string): Platform | undefined {
  const [text, ...more] = query.all(name).filter((value) => value !== '');
  if (more.length > 0) throw invalidArgument(`${name}: multiple platforms are not supported`);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidArgument(`failed to parse platform: ${messageOf(cause)}`, { cause });
  }
  if (!isRecord(value)) throw invalidArgument(`failed to parse platform: ${text} is not an object`);
  const { os, architecture, variant = '' } = value;
  if (typeof os !== 'string' || typeof architecture !== 'string' || os === '' || architecture === '') {
    throw invalidArgument('both OS and Architecture must be provided');
  }
  if (typeof variant !== 'string') throw invalidArgument('failed to parse platform: variant is not a text');
  return { os, architecture, ...usualVariant(architecture, variant) };
}
