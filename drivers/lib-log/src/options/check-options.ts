import { invalidArgument } from '@gantry/core/errors';
import { parseSize } from './parse-size.js';
import { checkTag } from './tag.js';
import { type LogOptions, parsePattern } from './values.js';

/** The options every driver has that keeps something. */
const shared = ['mode', 'max-buffer-size', 'tag'];
/** Those of drivers that keep labels and variables with each record. */
export const attributeOptions: readonly string[] = ['labels', 'labels-regex', 'env', 'env-regex'];

/**
 * Checks the names of all options, and the values of those that drivers have in common.
 * @throws EngineError `invalid-argument` naming the option and the value.
 */
export function checkOptions(options: LogOptions, driver: string, own: readonly string[]): void {
  checkMode(options);
  const known = new Set([...shared, ...own]);
  for (const name of Object.keys(options)) {
    if (!known.has(name)) throw invalidArgument(`unknown log opt '${name}' for ${driver} log driver`);
  }
  if (options.tag !== undefined) checkTag(options.tag);
  for (const name of ['labels-regex', 'env-regex']) parsePattern(name, options[name] ?? '');
}

/** A container never waits for its log here, so both modes are the same. */
function checkMode(options: LogOptions): void {
  const { mode = '', 'max-buffer-size': size } = options;
  if (!['', 'blocking', 'non-blocking'].includes(mode)) {
    throw invalidArgument(`logger: logging mode not supported: ${mode}`);
  }
  if (size === undefined) return;
  if (mode !== 'non-blocking') {
    throw invalidArgument("logger: max-buffer-size option is only supported with 'mode=non-blocking'");
  }
  if (parseSize(size) === undefined)
    throw invalidArgument(`error parsing option max-buffer-size: invalid size: '${size}'`);
}
