import { invalidArgument, notImplemented } from '@gantry/core/errors';
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
  /** Only one step at a time uses the cache. */
  readonly locked: boolean;
  readonly mode: number | undefined;
  readonly uid: number;
  readonly gid: number;
  /** Of a tmpfs, in bytes. */
  readonly size: number | undefined;
}

const keysOf: Readonly<Record<RunMount['type'], readonly string[]>> = {
  bind: ['target', 'source', 'from', 'readonly'],
  cache: ['target', 'id', 'readonly', 'sharing', 'mode', 'uid', 'gid'],
  secret: ['target', 'id', 'required', 'mode', 'uid', 'gid'],
  ssh: [],
  tmpfs: ['target', 'size'],
};
const aliases: Readonly<Record<string, string>> = {
  dst: 'target',
  destination: 'target',
  src: 'source',
  ro: 'readonly',
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
  if (type === 'ssh') throw notImplemented('RUN --mount=type=ssh is not supported by this builder');
  // A secret has its id for a source, too, as `docker build --secret` has it.
  if (type === 'secret' && values.has('source') && !values.has('id')) {
    values.set('id', values.get('source') ?? '');
    values.delete('source');
  }
  if (type === 'secret' && values.has('env')) {
    // The environment of a container is part of its stored configuration.
    throw notImplemented('RUN --mount=type=secret: env is not supported by this builder');
  }
  for (const [key, value] of values) {
    if (key === 'rw' || key === 'readwrite') {
      if (type === 'cache' || !isTrue(value)) values.delete(key);
      else throw notImplemented(`RUN --mount=type=${type}: ${key} is not supported by this builder`);
    } else if (!keysOf[type].includes(key)) {
      throw invalidArgument(`unexpected key '${key}' for mount type '${type}' in '${text}'`);
    }
  }
  const target = values.get('target') ?? '';
  const id = values.get('id') ?? '';
  if (target === '' && type !== 'secret') throw invalidArgument(`RUN --mount=type=${type} requires a target`);
  if (target === '' && id === '') throw invalidArgument('RUN --mount=type=secret requires an id or a target');
  const sharing = values.get('sharing') ?? 'shared';
  if (!/^(?:shared|private|locked)$/.test(sharing)) throw invalidArgument(`unsupported sharing value "${sharing}"`);
  if (sharing === 'private')
    throw notImplemented('RUN --mount=type=cache: sharing=private is not supported by this builder');
  const mode = number(values, 'mode', 8);
  return {
    type,
    target,
    id,
    source: values.get('source') ?? '',
    from: values.get('from') ?? '',
    readOnly: type === 'bind' || type === 'secret' || isTrue(values.get('readonly') ?? 'false'),
    required: isTrue(values.get('required') ?? 'false'),
    locked: sharing === 'locked',
    mode,
    uid: number(values, 'uid', 10) ?? 0,
    gid: number(values, 'gid', 10) ?? 0,
    size: size(values.get('size')),
  };
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
