import { invalidArgument } from '@gantry/core/errors';
import type { Instruction } from './instruction.js';

const types = ['bind', 'cache', 'secret', 'ssh', 'tmpfs'] as const;

/** A `--mount` of RUN. */
export interface RunMount {
  readonly type: (typeof types)[number];
  /** As written: with variables, and relative to the working directory. Empty for the default of a secret. */
  readonly target: string;
  /** Of a cache or secret; empty for the default. */
  readonly id: string;
  /** Of a bind, in what `from` names or the context. */
  readonly source: string;
  readonly from: string;
  readonly readOnly: boolean;
  readonly required: boolean;
  /** Of a cache: whether steps use it together, each one of its own, or one after the other. */
  readonly sharing: 'shared' | 'private' | 'locked';
  /** Of a secret: the variable that has it. */
  readonly variable: string;
  readonly mode: number | undefined;
  readonly uid: number;
  readonly gid: number;
  /** Of a tmpfs, in bytes. */
  readonly size: number | undefined;
}

const keysOf: Readonly<Record<RunMount['type'], readonly string[]>> = {
  bind: ['target', 'source', 'from', 'readonly', 'readwrite'],
  cache: ['target', 'id', 'readonly', 'readwrite', 'sharing', 'mode', 'uid', 'gid'],
  secret: ['target', 'id', 'required', 'mode', 'uid', 'gid', 'env'],
  ssh: ['target', 'id', 'required', 'mode', 'uid', 'gid'],
  tmpfs: ['target', 'size'],
};
const aliases: Readonly<Record<string, string>> = {
  dst: 'target',
  destination: 'target',
  src: 'source',
  ro: 'readonly',
  rw: 'readwrite',
};

/** @throws EngineError naming the mount and the key that cannot be honoured. */
export function parseRunMounts({ flags }: Instruction): readonly RunMount[] {
  const text = flags.get('mount');
  return text === undefined ? [] : text.split('\n').map(parseRunMount);
}

function parseRunMount(text: string): RunMount {
  const values = new Map<string, string>();
  for (const field of text.split(',')) {
    const [name = '', ...rest] = field.split('=');
    const key = aliases[name.toLowerCase()] ?? name.toLowerCase();
    values.set(key, rest.length === 0 ? 'true' : rest.join('=').replace(/^"(.*)"$/, '$1'));
  }
  const type = (values.get('type') ?? 'bind') as RunMount['type'];
  values.delete('type');
  if (!types.includes(type)) throw invalidArgument(`unsupported mount type "${type}"`);
  // A secret has its id for a source, too, as `docker build --secret` has it.
  if (type === 'secret' && values.has('source') && !values.has('id')) {
    values.set('id', values.get('source') ?? '');
    values.delete('source');
  }
  for (const key of values.keys()) {
    if (!keysOf[type].includes(key)) {
      throw invalidArgument(`unexpected key '${key}' for mount type '${type}' in '${text}'`);
    }
  }
  const target = values.get('target') ?? '';
  const id = values.get('id') ?? '';
  const variable = values.get('env') ?? '';
  if (target === '' && type !== 'secret' && type !== 'ssh')
    throw invalidArgument(`RUN --mount=type=${type} requires a target`);
  if (type === 'secret' && target === '' && id === '' && variable === '') {
    throw invalidArgument('RUN --mount=type=secret requires an id or a target');
  }
  const sharing = values.get('sharing') ?? 'shared';
  if (!isSharing(sharing)) throw invalidArgument(`unsupported sharing value "${sharing}"`);
  const mode = number(values, 'mode', 8);
  return {
    type,
    target,
    id,
    source: values.get('source') ?? '',
    from: values.get('from') ?? '',
    readOnly: isReadOnly(type, values),
    required: isTrue(values.get('required') ?? 'false'),
    sharing,
    variable,
    mode,
    uid: number(values, 'uid', 10) ?? 0,
    gid: number(values, 'gid', 10) ?? 0,
    size: size(values.get('size')),
  };
}

const isSharing = (text: string): text is RunMount['sharing'] => /^(?:shared|private|locked)$/.test(text);

/** The last of `readonly` and `readwrite` counts; without them binds are read-only. */
function isReadOnly(type: RunMount['type'], values: ReadonlyMap<string, string>): boolean {
  if (type === 'secret' || type === 'ssh') return true;
  const given = [...values].filter(([key]) => key === 'readonly' || key === 'readwrite').at(-1);
  if (given === undefined) return type === 'bind';
  return isTrue(given[1]) === (given[0] === 'readonly');
}

function isTrue(text: string): boolean {
  if (/^(?:1|t|true)$/i.test(text)) return true;
  if (/^(?:0|f|false)$/i.test(text)) return false;
  throw invalidArgument(`"${text}" is neither true nor false`);
}

function number(values: ReadonlyMap<string, string>, key: string, base: 8 | 10): number | undefined {
  const text = values.get(key);
  if (text === undefined) return undefined;
  if (!(base === 8 ? /^[0-7]{1,5}$/ : /^\d{1,10}$/).test(text))
    throw invalidArgument(`${key}: "${text}" is not a number`);
  return Number.parseInt(text, base);
}

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

function size(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)b?$/i.exec(text) ?? [];
  if (digits === undefined) throw invalidArgument(`size: "${text}" is not a size such as 64m`);
  return Number(digits) * (units[unit.toLowerCase()] ?? 1);
}
