import { type OptionNames, optionReader, parseMtu } from '@gantry/lib-network';
import { type ChildLinkOptions, parseParent } from '@gantry/lib-network/child-links';

const modes = ['bridge', 'private', 'vepa', 'passthru'] as const;

const names: OptionNames<'parent' | 'mode' | 'mtu'> = {
  parent: ['gantry.macvlan.parent', 'parent'],
  mode: ['gantry.macvlan.mode', 'macvlan_mode'],
  mtu: ['gantry.macvlan.mtu', 'com.docker.network.driver.mtu'],
};

/** @throws EngineError `invalid-argument` naming option and value. */
export function parseMacvlanOptions(options: Readonly<Record<string, string>>): ChildLinkOptions {
  const read = optionReader(names, options);
  const mode = read('mode', (text) => modes.find((mode) => mode === text), `one of ${modes.join(', ')}`) ?? 'bridge';
  return {
    parent: read('parent', parseParent, "an interface's name such as eth0 or eth0.50"),
    link: { kind: 'macvlan', mode },
    mtu: read('mtu', parseMtu, 'a number of bytes from 68 to 65535'),
  };
}
