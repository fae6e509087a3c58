import { invalidArgument, messageOf } from '@gantry/core/errors';
import type { Config } from '../config.js';
import { rotationOf } from './rotation.js';
import { parseSize } from './size.js';
import { checkTag } from './tag.js';

const known = new Set([
  'max-size',
  'max-file',
  'compress',
  'labels',
  'labels-regex',
  'env',
  'env-regex',
  'tag',
  'mode',
  'max-buffer-size',
]);

/** Checks `LogConfig.Config`. @throws EngineError `invalid-argument` naming the option and the value. */
export function validateOptions(options: Readonly<Record<string, string>>, config: Config): void {
  validateMode(options);
  for (const name of Object.keys(options)) {
    if (!known.has(name)) throw invalidArgument(`unknown log opt '${name}' for json-file log driver`);
  }
  rotationOf(options, config);
  if (options.tag !== undefined) checkTag(options.tag);
  for (const name of ['labels-regex', 'env-regex']) {
    try {
      new RegExp(options[name] ?? '');
    } catch (error) {
      throw invalidArgument(`log opt ${name}: error parsing regexp: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** Containers never wait for their log here, so both modes are the same. */
function validateMode(options: Readonly<Record<string, string>>): void {
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
