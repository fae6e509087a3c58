import { aliases, type FlagName, refusals, runFlags } from './run-flags.js';
import { UsageError } from './usage-error.js';

/** A command line, read. */
export interface RunCommand {
  readonly image: string;
  readonly command: readonly string[];
  has(flag: FlagName): boolean;
  /** The last value; undefined when the flag is not given. */
  text(flag: FlagName): string | undefined;
  all(flag: FlagName): readonly string[];
}

type Given = Map<FlagName, string[]>;

/** Reads the arguments of `gantry run`; what follows the image is the command's. @throws UsageError of one line. */
export function parseRun(argv: readonly string[]): RunCommand {
  const given: Given = new Map();
  const rest = [...argv];
  while (rest[0]?.startsWith('-') && rest[0] !== '-') {
    const word = rest.shift() ?? '';
    if (word === '--') break;
    if (word.startsWith('--')) readLong(word.slice(2), rest, given);
    else readShort(word.slice(1), rest, given);
  }
  const [image = '', ...command] = rest;
  if (image === '' && !given.has('help'))
    throw new UsageError('the image is missing: gantry run [FLAGS] IMAGE [COMMAND]');
  return {
    image,
    command,
    has: (flag) => isOn(given.get(flag)?.at(-1)),
    text: (flag) => given.get(flag)?.at(-1),
    all: (flag) => given.get(flag) ?? [],
  };
}

function readLong(word: string, rest: string[], given: Given): void {
  const cut = word.indexOf('=');
  const name = cut < 0 ? word : word.slice(0, cut);
  const flag = flagNamed(name);
  if (flag === undefined) throw unknown(`--${name}`, name);
  const value = cut < 0 ? undefined : word.slice(cut + 1);
  if (runFlags[flag].kind === 'switch') add(given, flag, checkSwitch(name, value ?? 'true'));
  else add(given, flag, value ?? takeValue(`--${name}`, rest));
}

/** `-it`, `-v/a:/b` or `-v /a:/b`. */
function readShort(letters: string, rest: string[], given: Given): void {
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index] ?? '';
    const flag = (Object.keys(runFlags) as FlagName[]).find((name) => shortOf(name) === letter);
    if (flag === undefined) throw unknown(`-${letter}`, letter);
    if (runFlags[flag].kind === 'switch') {
      add(given, flag, 'true');
      continue;
    }
    const attached = letters.slice(index + 1).replace(/^=/, '');
    add(given, flag, attached === '' ? takeValue(`-${letter}`, rest) : attached);
    return;
  }
}

const shortOf = (name: FlagName): string | undefined => (runFlags[name] as { readonly short?: string }).short;

const flagNamed = (name: string): FlagName | undefined =>
  Object.hasOwn(runFlags, name) ? (name as FlagName) : aliases[name];

const unknown = (shown: string, name: string): UsageError =>
  new UsageError(
    Object.hasOwn(refusals, name)
      ? `${shown}: ${refusals[name]}`
      : `${shown} is not a flag of gantry run: see gantry run --help`,
  );

function takeValue(shown: string, rest: string[]): string {
  const value = rest.shift();
  if (value === undefined) throw new UsageError(`${shown} needs a value`);
  return value;
}

function checkSwitch(name: string, value: string): string {
  if (!/^(true|false|1|0)$/i.test(value)) throw new UsageError(`--${name}: "${value}" is neither true nor false`);
  return value;
}

const isOn = (value: string | undefined): boolean => value !== undefined && /^(true|1)$/i.test(value);

function add(given: Given, flag: FlagName, value: string): void {
  given.set(flag, [...(given.get(flag) ?? []), value]);
}
