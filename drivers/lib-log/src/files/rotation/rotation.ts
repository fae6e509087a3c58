import { invalidArgument } from '@gantry/core/errors';
import { parseSize } from '../../options/parse-size.js';
import { parseBoolean } from '../../options/values.js';

/** When a log file is put aside, and how many there are. */
export interface Rotation {
  /** Bytes; a file is put aside when it has as many. Infinity: never. */
  readonly maxSize: number;
  /** The one being written to counts. */
  readonly maxFile: number;
  readonly compress: boolean;
}

type Options = Readonly<Record<string, string>>;

/** Defaults of the log options of the same names. */
export interface RotationDefaults {
  readonly 'max-size': string;
  readonly 'max-file': number;
  readonly compress: boolean;
}

/** The names of the options that `rotationOf` reads. */
export const rotationOptions: readonly string[] = ['max-size', 'max-file', 'compress'];

/** The container's options, and the driver's configuration for what they leave open. */
export function rotationOf(options: Options, config: RotationDefaults): Rotation {
  const maxSize = options['max-size'] ?? config['max-size'];
  const maxFile = options['max-file'] ?? String(config['max-file']);
  const rotation = { maxSize: parseMaxSize(maxSize), maxFile: parseMaxFile(maxFile) };
  const compress = options.compress === undefined ? config.compress : parseBoolean('compress', options.compress);
  const canCompress = rotation.maxFile > 1 && rotation.maxSize !== Number.POSITIVE_INFINITY;
  if (compress && options.compress !== undefined && !canCompress) {
    throw invalidArgument('compress cannot be true when max-file is less than 2 or max-size is not set');
  }
  return { ...rotation, compress: compress && canCompress };
}

/** `-1` is how rotation is turned off. */
function parseMaxSize(text: string): number {
  if (text === '-1') return Number.POSITIVE_INFINITY;
  const size = parseSize(text);
  if (size === undefined) throw invalidArgument(`log opt max-size: invalid size: '${text}'`);
  if (size <= 0) throw invalidArgument(`log opt max-size: "${text}": max-size must be a positive number`);
  return size;
}

function parseMaxFile(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw invalidArgument(`log opt max-file: "${text}" is not a number such as 3`);
  if (Number(text) < 1) throw invalidArgument(`log opt max-file: "${text}": max-file cannot be less than 1`);
  return Number(text);
}
