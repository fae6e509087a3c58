import { readFile } from 'node:fs/promises';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { parseSize } from './parse-size.js';

/** `LogConfig.Config`. */
export type LogOptions = Readonly<Record<string, string>>;

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function parseBoolean(option: string, text: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw invalidArgument(`log opt ${option}: "${text}" is neither true nor false`);
}

/** A whole number within limits. @throws EngineError `invalid-argument` naming the option and the value. */
export function parseInteger(option: string, text: string, lowest: number, highest = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < lowest || value > highest) {
    const range = highest === Number.MAX_SAFE_INTEGER ? `from ${lowest} on` : `from ${lowest} to ${highest}`;
    throw invalidArgument(`log opt ${option}: "${text}" is not a whole number ${range}`);
  }
  return value;
}

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds of `1.5s`, `300ms`, `1m30s`. @throws EngineError `invalid-argument` naming the option and the value. */
export function parseDuration(option: string, text: string): number {
  if (text === '0') return 0;
  if (!/^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) {
    throw invalidArgument(`log opt ${option}: "${text}" is not a duration such as 500ms or 1m30s`);
  }
  return [...text.matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)/g)].reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0),
    0,
  );
}

/** Bytes of `1m`. @throws EngineError `invalid-argument` naming the option and the value. */
export function parseBytes(option: string, text: string): number {
  const size = parseSize(text);
  if (size === undefined || size <= 0) throw invalidArgument(`log opt ${option}: invalid size: '${text}'`);
  return size;
}

/** One of a few words. @throws EngineError `invalid-argument` naming the option, the value and the words. */
export function parseChoice<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw invalidArgument(`log opt ${option}: "${text}" is none of: ${words.join(', ')}`);
  return found;
}

/** @throws EngineError `invalid-argument` naming the option and the value. */
export function parsePattern(option: string, text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw invalidArgument(`log opt ${option}: error parsing regexp: ${messageOf(error)}`, { cause: error });
  }
}

/** The content of a file that an option names. @throws EngineError `invalid-argument` naming the option and the file. */
export async function readOptionFile(option: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw invalidArgument(`log opt ${option}: cannot read '${path}': ${messageOf(error)}`, { cause: error });
  }
}
