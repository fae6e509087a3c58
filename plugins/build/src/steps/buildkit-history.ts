import type { ImageConfig } from '@gantry/images/service';
import type { StageState } from '../stage/stage-state.js';
import { variablesOf } from '../stage/stage-state.js';

/** The comment by which clients recognize steps of BuildKit in a history. */
export const buildKitComment = 'buildkit.dockerfile.v0';

/** RUN, with the arguments of the stage as they are declared so far. */
export function runHistory(state: StageState, command: readonly string[]): string {
  const variable = variablesOf(state);
  const args = [...state.args.keys()].map((name) => `${name}=${variable(name) ?? ''}`);
  const count = args.length === 0 ? [] : [`|${args.length}`];
  return `RUN ${[...count, ...args, ...command].join(' ')} # buildkit`;
}

interface WrittenCopy {
  readonly keyword: string;
  /** Such as `--chown=1`. */
  readonly flags: readonly string[];
  /** Sources and destination as they are written, with variables expanded. */
  readonly paths: readonly string[];
}

/** COPY and ADD: what is copied is known by its name, not by its content. */
export const copyHistory = ({ keyword, flags, paths }: WrittenCopy): string =>
  `${[keyword, ...flags, ...paths].join(' ')} # buildkit`;

export const exposeHistory = (ports: ImageConfig['ExposedPorts'] = {}): string =>
  `EXPOSE [${Object.keys(ports).sort().join(' ')}]`;

export function healthcheckHistory({
  Test = [],
  Interval,
  Timeout,
  StartPeriod,
  StartInterval,
  Retries,
}: NonNullable<ImageConfig['Healthcheck']>): string {
  const times = [Interval, Timeout, StartPeriod, StartInterval].map((time = 0) => `"${goDuration(time)}"`);
  const test = Test.map((word) => JSON.stringify(word)).join(' ');
  return `HEALTHCHECK &{[${test}] ${times.join(' ')} ${goCharacter(Retries ?? 0)}}`;
}

/** A duration in nanoseconds as Go prints it: `1m30s`, `500ms`. */
function goDuration(nanoseconds: number): string {
  if (nanoseconds === 0) return '0s';
  if (nanoseconds < 1e9) return `${nanoseconds / 1e6}ms`;
  const hours = Math.floor(nanoseconds / 3600e9);
  const minutes = Math.floor(nanoseconds / 60e9) % 60;
  const seconds = (nanoseconds % 60e9) / 1e9;
  return `${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`;
}

const escapes = new Map([
  ...[...'\u0007\b\f\n\r\t\v'].map((character, index) => [character, `\\${'abfnrtv'[index]}`] as const),
  ["'", "\\'"],
  ['\\', '\\\\'],
]);

/** A number as the character that Go prints it as: BuildKit quotes the number of retries, too. */
function goCharacter(code: number): string {
  const character = String.fromCodePoint(Math.min(code, 0x10ffff));
  const isControl = code < 0x20 || code === 0x7f;
  const shown = escapes.get(character) ?? (isControl ? `\\x${code.toString(16).padStart(2, '0')}` : character);
  return `'${shown}'`;
}
