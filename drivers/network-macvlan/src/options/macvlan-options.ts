import { invalidArgument } from '@gantry/core/errors';

const modes = ['bridge', 'private', 'vepa', 'passthru'] as const;

export type MacvlanMode = (typeof modes)[number];

/** What the options of a network say. */
export interface MacvlanOptions {
  /** The host's interface, such as `eth0`, or `eth0.50` for a VLAN on it; undefined: one that leads nowhere. */
  readonly parent: string | undefined;
  readonly mode: MacvlanMode;
  readonly mtu: number | undefined;
}

/** Each option under its own name and the one clients of other engines send. Options not listed are let through. */
const names = {
  parent: ['gantry.macvlan.parent', 'parent'],
  mode: ['gantry.macvlan.mode', 'macvlan_mode'],
  mtu: ['gantry.macvlan.mtu', 'com.docker.network.driver.mtu'],
} as const satisfies Record<keyof MacvlanOptions, readonly [string, string]>;

/** @throws EngineError `invalid-argument` naming option and value. */
export function parseMacvlanOptions(options: Readonly<Record<string, string>>): MacvlanOptions {
  const read = <T>(key: keyof MacvlanOptions, parse: (text: string) => T | undefined, wanted: string) => {
    const name = names[key].find((candidate) => (options[candidate] ?? '') !== '');
    const text = name === undefined ? undefined : options[name];
    if (name === undefined || text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) throw invalidArgument(`invalid option ${name}: "${text}" is not ${wanted}`);
    return value;
  };
  return {
    parent: read('parent', parseParent, "an interface's name such as eth0 or eth0.50"),
    mode: read('mode', (text) => modes.find((mode) => mode === text), `one of ${modes.join(', ')}`) ?? 'bridge',
    mtu: read('mtu', parseMtu, 'a number of bytes from 68 to 65535'),
  };
}

/** A VLAN of an interface: `eth0.50`. Undefined: a name without a number that a VLAN may have. */
export function vlanOf(parent: string): { readonly link: string; readonly id: number } | undefined {
  const [, link, digits] = /^(.+)\.(\d{1,4})$/.exec(parent) ?? [];
  const id = Number(digits);
  return link !== undefined && id >= 1 && id <= 4094 ? { link, id } : undefined;
}

const parseParent = (text: string): string | undefined =>
  /^[^\s/:"*\\]+$/.test(text) && Buffer.byteLength(text) <= 15 && text !== 'lo' ? text : undefined;

function parseMtu(text: string): number | undefined {
  const mtu = Number(text);
  return /^\d+$/.test(text) && mtu >= 68 && mtu <= 65535 ? mtu : undefined;
}
