import { invalidArgument } from '@gantry/core/errors';

/** Each option under its own name and the one clients of other engines send. The first that is there counts. */
export type OptionNames<Key extends string> = Readonly<Record<Key, readonly [own: string, foreign: string]>>;

/**
 * Reads a network's options one by one. `parse` answers undefined for a text that is none of `wanted`, which is told
 * with the name the option was sent under. Absent and empty options are undefined; options without a name are let
 * through. @throws EngineError `invalid-argument` naming option and value.
 */
export const optionReader =
  <Key extends string>(names: OptionNames<Key>, options: Readonly<Record<string, string>>) =>
  <T>(key: Key, parse: (text: string) => T | undefined, wanted: string): T | undefined => {
    const name = names[key].find((candidate) => (options[candidate] ?? '') !== '');
    const text = name === undefined ? undefined : options[name];
    if (name === undefined || text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) throw invalidArgument(`invalid option ${name}: "${text}" is not ${wanted}`);
    return value;
  };

/** Bytes. Undefined: no size that a link can have. */
export function parseMtu(text: string): number | undefined {
  const mtu = Number(text);
  return /^\d+$/.test(text) && mtu >= 68 && mtu <= 65535 ? mtu : undefined;
}
