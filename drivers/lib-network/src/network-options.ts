import { invalidArgument } from '@gantry/core/errors';

/** Each option under its own name and the one that Docker clients send. The first that is set counts. */
export type OptionNames<Key extends string> = Readonly<Record<Key, readonly [own: string, foreign: string]>>;

/**
 * Reads a network's options one by one. `parse` returns undefined for an invalid value; the error then names the option
 * as it was sent and what is `wanted`. Absent and empty options are undefined; unknown options are ignored.
 * @throws EngineError `invalid-argument` naming option and value.
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

/** Bytes. Undefined: not a valid MTU. */
export function parseMtu(text: string): number | undefined {
  const mtu = Number(text);
  return /^\d+$/.test(text) && mtu >= 68 && mtu <= 65535 ? mtu : undefined;
}
