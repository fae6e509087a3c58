import { formatPrintf } from './format-printf.js';
import { showValue } from './show-value.js';
import { isMap, isTrue, type TemplateValue, typeOf } from './template-value.js';

export type TemplateFunction = (...values: readonly TemplateValue[]) => TemplateValue;

/** The functions that every template has; `and` and `or`, which evaluate what they need only, are not among them. */
export const commonFunctions: Readonly<Record<string, TemplateFunction>> = {
  eq: (value, ...others) => {
    const [first, ...rest] = atLeast(1, 'eq', others);
    return [first as TemplateValue, ...rest].some((other) => isEqual(present(value, 'eq'), other));
  },
  ne: (left, right, ...others) => !isEqual(...pair('ne', left, right, others)),
  lt: (left, right, ...others) => compare(...pair('lt', left, right, others)) < 0,
  le: (left, right, ...others) => compare(...pair('le', left, right, others)) <= 0,
  gt: (left, right, ...others) => compare(...pair('gt', left, right, others)) > 0,
  ge: (left, right, ...others) => compare(...pair('ge', left, right, others)) >= 0,
  not: (value, ...others) => !isTrue(only('not', value, others)),
  len: (value, ...others) => lengthOf(only('len', value, others)),
  index: (value, ...keys) => keys.reduce(indexed, present(value, 'index')),
  slice: (value, ...bounds) => sliced(text('slice', present(value, 'slice')), bounds),
  print: (...values) => print(values),
  println: (...values) => `${values.map(showValue).join(' ')}\n`,
  printf: (format, ...values) => formatPrintf(text('printf', present(format, 'printf')), values),
  html: (...values) => print(values).replace(/[&'<>"\0]/g, (character) => htmlEscapes[character] ?? ''),
  urlquery: (...values) => encodeQuery(print(values)),
  js: (...values) => print(values).replace(/[\\'"<>&=\p{Cc}\u2028\u2029]/gu, escapeScript),
  join: (separator, ...texts) =>
    texts.map((value) => text('join', value)).join(text('join', present(separator, 'join'))),
};

/** The argument of a function that takes texts. */
export function text(name: string, value: TemplateValue): string {
  if (typeof value !== 'string')
    throw new Error(`wrong type for value; expected string; got ${typeOf(value)}, in ${name}`);
  return value;
}

function present(value: TemplateValue | undefined, name: string): TemplateValue {
  if (value === undefined) throw new Error(`wrong number of args for ${name}: got 0`);
  return value;
}

function only(name: string, value: TemplateValue | undefined, others: readonly TemplateValue[]): TemplateValue {
  if (others.length > 0) throw new Error(`wrong number of args for ${name}: want 1 got ${others.length + 1}`);
  return present(value, name);
}

function atLeast(count: number, name: string, values: readonly TemplateValue[]): readonly TemplateValue[] {
  if (values.length < count) throw new Error(`missing argument for comparison, in ${name}`);
  return values;
}

function pair(
  name: string,
  left: TemplateValue | undefined,
  right: TemplateValue | undefined,
  others: readonly TemplateValue[],
): readonly [TemplateValue, TemplateValue] {
  if (left === undefined || right === undefined || others.length > 0) {
    const count = [left, right].filter((value) => value !== undefined).length + others.length;
    throw new Error(`wrong number of args for ${name}: want 2 got ${count}`);
  }
  return [left, right];
}

function isEqual(left: TemplateValue, right: TemplateValue): boolean {
  if (left === null || right === null) return left === right;
  if (typeof left === 'object' || typeof right === 'object') throw new Error(`non-comparable type ${typeOf(left)}`);
  if (typeof left !== typeof right) throw new Error('incompatible types for comparison');
  return left === right;
}

function compare(left: TemplateValue, right: TemplateValue): number {
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  if (typeof left === 'bigint' && typeof right === 'bigint') return left < right ? -1 : Number(left > right);
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : Number(left > right);
  throw new Error(typeOf(left) === typeOf(right) ? 'invalid type for comparison' : 'incompatible types for comparison');
}

function lengthOf(value: TemplateValue): bigint {
  if (typeof value === 'string') return BigInt(Buffer.byteLength(value));
  if (isMap(value)) return BigInt(value.size);
  throw new Error(`len of type ${typeOf(value)}`);
}

/** The value of a key, empty if there is none, or a byte of a text. */
function indexed(value: TemplateValue, key: TemplateValue): TemplateValue {
  if (isMap(value)) return value.get(text('index', key)) ?? '';
  if (typeof value !== 'string') throw new Error(`can't index item of type ${typeOf(value)}`);
  if (typeof key !== 'bigint') throw new Error(`cannot index slice/array with type ${typeOf(key)}`);
  const byte = Buffer.from(value)[Number(key)];
  if (byte === undefined) throw new Error(`index out of range: ${key}`);
  return BigInt(byte);
}

function sliced(value: string, bounds: readonly TemplateValue[]): string {
  const bytes = Buffer.from(value);
  if (bounds.length > 2) throw new Error('cannot 3-index slice a string');
  const [start = 0, end = bytes.length] = bounds.map((bound) => {
    if (typeof bound !== 'bigint') throw new Error(`cannot index slice/array with type ${typeOf(bound)}`);
    if (bound < 0n || bound > bytes.length) throw new Error(`index out of range: ${bound}`);
    return Number(bound);
  });
  if (start > end) throw new Error(`invalid slice index: ${start} > ${end}`);
  return bytes.subarray(start, end).toString();
}

/** With a space between two of which none is a text. */
const print = (values: readonly TemplateValue[]): string =>
  values.reduce<string>((shown, value, at) => {
    const before = values[at - 1];
    const isSpaced = at > 0 && typeof before !== 'string' && typeof value !== 'string';
    return shown + (isSpaced ? ' ' : '') + showValue(value);
  }, '');

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  '\0': '\uFFFD',
};

const encodeQuery = (value: string): string =>
  encodeURIComponent(value)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const escapeScript = (character: string): string =>
  /[\\'"]/.test(character)
    ? `\\${character}`
    : `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
