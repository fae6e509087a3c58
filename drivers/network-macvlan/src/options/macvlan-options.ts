import { isInterfaceName, type OptionNames, optionReader, parseMtu } from '@gantry/lib-network';

const modes = ['bridge', 'private', 'vepa', 'passthru'] as const;

type MacvlanMode = (typeof modes)[number];

/** The options of a network. */
export interface MacvlanOptions {
  /** The host's interface, such as `eth0`, or `eth0.50` for a VLAN on it; undefined: an isolated network. */
  readonly parent: string | undefined;
  readonly mode: MacvlanMode;
  readonly mtu: number | undefined;
}

const names: OptionNames<keyof MacvlanOptions> = {
  parent: ['gantry.macvlan.parent', 'parent'],
  mode: ['gantry.macvlan.mode', 'macvlan_mode'],
  mtu: ['gantry.macvlan.mtu', 'com.docker.network.driver.mtu'],
};

/** @throws EngineError `invalid-argument` naming option and value. */
export function parseMacvlanOptions(options: Readonly<Record<string, string>>): MacvlanOptions {
  const read = optionReader(names, options);
  return {
    parent: read('parent', parseParent, "an interface's name such as eth0 or eth0.50"),
    mode: read('mode', (text) => modes.find((mode) => mode === text), `one of ${modes.join(', ')}`) ?? 'bridge',
    mtu: read('mtu', parseMtu, 'a number of bytes from 68 to 65535'),
  };
}

/** Parses the name of a VLAN interface, such as `eth0.50`. Undefined: not one. */
export function vlanOf(parent: string): { readonly link: string; readonly id: number } | undefined {
  const [, link, digits] = /^(.+)\.(\d{1,4})$/.exec(parent) ?? [];
  const id = Number(digits);
  return link !== undefined && id >= 1 && id <= 4094 ? { link, id } : undefined;
}

const parseParent = (text: string): string | undefined => (isInterfaceName(text) && text !== 'lo' ? text : undefined);
