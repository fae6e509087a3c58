import { type OptionNames, optionReader, parseMtu } from '@gantry/lib-network';
import { type ChildLinkOptions, parseParent } from '@gantry/lib-network/child-links';

const modes = ['l2', 'l3', 'l3s'] as const;
const isolations = ['bridge', 'private', 'vepa'] as const;

const names: OptionNames<'parent' | 'mode' | 'isolation' | 'mtu'> = {
  parent: ['gantry.ipvlan.parent', 'parent'],
  mode: ['gantry.ipvlan.mode', 'ipvlan_mode'],
  isolation: ['gantry.ipvlan.flag', 'ipvlan_flag'],
  mtu: ['gantry.ipvlan.mtu', 'com.docker.network.driver.mtu'],
};

/** @throws EngineError `invalid-argument` naming option and value. */
export function parseIpvlanOptions(options: Readonly<Record<string, string>>): ChildLinkOptions {
  const read = optionReader(names, options);
  const oneOf = <T extends string>(key: 'mode' | 'isolation', values: readonly T[]): T | undefined =>
    read(key, (text) => values.find((value) => value === text), `one of ${values.join(', ')}`);
  const mode = oneOf('mode', modes) ?? 'l2';
  const isolation = oneOf('isolation', isolations);
  return {
    parent: read('parent', parseParent, "an interface's name such as eth0 or eth0.50"),
    link: { kind: 'ipvlan', mode, ...(isolation !== undefined && { isolation }) },
    routed: mode !== 'l2',
    mtu: read('mtu', parseMtu, 'a number of bytes from 68 to 65535'),
  };
}
