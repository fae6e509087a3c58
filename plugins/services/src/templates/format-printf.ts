import { showFloat, showValue, withExponent } from './show-value.js';
import { isMap, sortedEntries, type TemplateValue, typeOf } from './template-value.js';

/** A placeholder of a format: flags, width, precision, the number of an argument and a verb. */
const placeholder = /%([-+# 0]*)(?:\[(\d+)\])?(\*|\d+)?(?:\.(\*|\d*))?(?:\[(\d+)\])?(.)?/gsu;

/** The longest text that a width or precision may ask for. */
const widest = 10_000;

interface Layout {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

/** Writes values by a format, as Go's fmt.Sprintf: what does not fit is said in the text, `%!d(string=a)`. */
export function formatPrintf(format: string, values: readonly TemplateValue[]): string {
  let next = 0;
  let isReordered = false;
  const text = format.replace(placeholder, (_whole, flags: string, before, width, precision, behind, verb) => {
    if (verb === undefined) return '%!(NOVERB)';
    if (verb === '%') return '%';
    const select = (position: string | undefined): void => {
      if (position === undefined) return;
      isReordered = true;
      next = Number(position) - 1;
    };
    const sizeOf = (size: string | undefined): number | undefined =>
      size === '*' ? Number(values[next++]) || 0 : size === undefined ? undefined : Number(size);
    select(before);
    const asked = sizeOf(width) ?? 0;
    const places = sizeOf(precision);
    select(behind);
    const value = values[next++];
    if (value === undefined) return (before ?? behind) ? `%!${verb}(BADINDEX)` : `%!${verb}(MISSING)`;
    const isLeft = flags.includes('-') || asked < 0;
    if (Math.abs(asked) > widest || (places ?? 0) > widest) return '%!(BADWIDTH)';
    const layout = { flags: isLeft ? `${flags.replace('0', '')}-` : flags, width: Math.abs(asked), precision: places };
    return formatted(verb, value, layout);
  });
  const extra = isReordered ? [] : values.slice(next);
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.map(typed).join(', ')})`;
}

const typed = (value: TemplateValue): string => (value === null ? '<nil>' : `${typeOf(value)}=${showValue(value)}`);

function formatted(verb: string, value: TemplateValue, layout: Layout): string {
  if (verb === 'T') return pad(typeOf(value), layout);
  const text = byType(verb, value, layout);
  return text ?? `%!${verb}(${typed(value)})`;
}

function byType(verb: string, value: TemplateValue, layout: Layout): string | undefined {
  switch (typeof value) {
    case 'string':
      return ofText(verb, value, layout);
    case 'bigint':
      return ofInteger(verb, value, layout);
    case 'number':
      return ofFloat(verb, value, layout);
    case 'boolean':
      return verb === 't' || verb === 'v' ? pad(String(value), layout) : undefined;
    default:
      return ofStructure(verb, value, layout);
  }
}

/** Each part of a map or structure by itself. */
function ofStructure(verb: string, value: TemplateValue, layout: Layout): string | undefined {
  if (value === null) return verb === 'v' ? pad('<nil>', layout) : undefined;
  if (typeof value !== 'object') return undefined;
  if (isMap(value)) {
    const entries = sortedEntries(value).map((entry) => entry.map((part) => formatted(verb, part, layout)).join(':'));
    return `map[${entries.join(' ')}]`;
  }
  const isNamed = verb === 'v' && /[+#]/.test(layout.flags);
  const parts = Object.entries(value).map(
    ([name, part]) => `${isNamed ? `${name}:` : ''}${formatted(verb, part, layout)}`,
  );
  return `{${parts.join(' ')}}`;
}

function ofText(verb: string, value: string, layout: Layout): string | undefined {
  const { flags, precision } = layout;
  const text = precision === undefined ? value : [...value].slice(0, precision).join('');
  switch (verb) {
    case 'v':
      return pad(flags.includes('#') ? quoted(text) : text, layout);
    case 's':
      return pad(text, layout);
    case 'q':
      return pad(flags.includes('#') && !/[`\p{Cc}\uFEFF]/u.test(text) ? `\`${text}\`` : quoted(text, flags), layout);
    case 'x':
    case 'X': {
      const bytes = Buffer.from(value).subarray(0, precision).toString('hex');
      const hexadecimal = flags.includes(' ') ? (bytes.match(/../g) ?? []).join(' ') : bytes;
      const whole = flags.includes('#') && bytes !== '' ? `0x${hexadecimal}` : hexadecimal;
      return pad(verb === 'X' ? whole.toUpperCase() : whole, layout);
    }
    default:
      return undefined;
  }
}

const radixes: Readonly<Record<string, readonly [radix: number, prefix: string]>> = {
  v: [10, ''],
  d: [10, ''],
  b: [2, '0b'],
  o: [8, '0'],
  O: [8, '0o'],
  x: [16, '0x'],
  X: [16, '0X'],
};

function ofInteger(verb: string, value: bigint, layout: Layout): string | undefined {
  const [radix, prefix] = radixes[verb] ?? [];
  if (radix !== undefined && prefix !== undefined) {
    const digits = (value < 0n ? -value : value).toString(radix).padStart(layout.precision ?? 0, '0');
    const shown = verb === 'X' ? digits.toUpperCase() : digits;
    const withPrefix = verb === 'O' || layout.flags.includes('#') ? prefix : '';
    return padNumber(value < 0n, withPrefix + shown, layout);
  }
  const isCharacter = value >= 0n && value <= 0x10ffffn;
  if (verb === 'U') return pad(`U+${value.toString(16).toUpperCase().padStart(4, '0')}`, layout);
  const character = isCharacter ? String.fromCodePoint(Number(value)) : '\uFFFD';
  if (verb === 'c') return pad(character, layout);
  if (verb === 'q')
    return pad(character === "'" ? `'\\''` : `'${quoted(character).slice(1, -1).replace('\\"', '"')}'`, layout);
  return undefined;
}

function ofFloat(verb: string, value: number, layout: Layout): string | undefined {
  const size = Math.abs(value);
  const isNegative = value < 0 || Object.is(value, -0);
  switch (verb) {
    case 'v':
    case 'g':
    case 'G':
      return padNumber(isNegative, upper(verb, showFloat(size, layout.precision)), layout);
    case 'f':
    case 'F':
      return padNumber(isNegative, toFixed(size, Math.min(layout.precision ?? 6, 100)), layout);
    case 'e':
    case 'E': {
      const [mantissa = '', power] = size.toExponential(Math.min(layout.precision ?? 6, 100)).split('e');
      return padNumber(isNegative, upper(verb, withExponent(mantissa, Number(power))), layout);
    }
    default:
      return undefined;
  }
}

/** Rounds what is in the middle to the even digit. */
function toFixed(value: number, places: number): string {
  if (value >= 1e21)
    return Number.isFinite(value) ? `${BigInt(value)}${places > 0 ? `.${'0'.repeat(places)}` : ''}` : 'Inf';
  const [, digits = ''] = value.toFixed(100).split('.');
  const isTie = /^50*$/.test(digits.slice(places));
  if (!isTie) return value.toFixed(places);
  const lower = value.toFixed(places + 1).replace(/\.?5$/, '');
  return /[02468]$/.test(lower) ? lower : value.toFixed(places);
}

const upper = (verb: string, text: string): string => (/[A-Z]/.test(verb) ? text.toUpperCase() : text);

function padNumber(isNegative: boolean, digits: string, layout: Layout): string {
  const { flags, precision, width } = layout;
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const fills = flags.includes('0') && (precision === undefined || /[.e]/.test(digits));
  return pad(sign + (fills ? digits.padStart(width - sign.length, '0') : digits), {
    ...layout,
    flags: flags.replace('0', ''),
  });
}

function pad(text: string, { flags, width }: Layout): string {
  const missing = Math.max(width - [...text].length, 0);
  if (flags.includes('-')) return text + ' '.repeat(missing);
  return (flags.includes('0') ? '0' : ' ').repeat(missing) + text;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

const unprintable = /["\\]|[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const unprintableInAscii = /["\\]|[^ -~]/gu;

const quoted = (text: string, flags = ''): string =>
  `"${text.replace(flags.includes('+') ? unprintableInAscii : unprintable, escaped)}"`;

function escaped(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}
