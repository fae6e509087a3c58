import { isIPv4 } from 'node:net';
import { invalidArgument } from '@gantry/core/errors';
import { isInterfaceName, type OptionNames, optionReader, parseMtu } from '@gantry/lib-network';

/** The options of a network; undefined where the default applies. */
export interface BridgeOptions {
  readonly bridge: string | undefined;
  /** It is the default network, of containers that name none. */
  readonly isDefault: boolean;
  /** Containers of the network may reach each other. */
  readonly icc: boolean;
  readonly masquerade: boolean;
  /** Host address for published ports without one. */
  readonly hostIp: string | undefined;
  readonly mtu: number | undefined;
  /** Prefix of the interfaces' names in containers, such as `eth`. */
  readonly interfacePrefix: string | undefined;
}

const vendor = 'com.docker.network';

const names: OptionNames<keyof BridgeOptions> = {
  bridge: ['gantry.bridge.name', `${vendor}.bridge.name`],
  isDefault: ['gantry.bridge.default', `${vendor}.bridge.default_bridge`],
  icc: ['gantry.bridge.icc', `${vendor}.bridge.enable_icc`],
  masquerade: ['gantry.bridge.masquerade', `${vendor}.bridge.enable_ip_masquerade`],
  hostIp: ['gantry.bridge.host-ip', `${vendor}.bridge.host_binding_ipv4`],
  mtu: ['gantry.bridge.mtu', `${vendor}.driver.mtu`],
  interfacePrefix: ['gantry.bridge.interface-prefix', `${vendor}.container_iface_prefix`],
};

/** @throws EngineError `invalid-argument` naming option and value. */
export function parseBridgeOptions(options: Readonly<Record<string, string>>): BridgeOptions {
  const read = optionReader(names, options);
  return {
    bridge: read('bridge', (text) => (isInterfaceName(text) ? text : undefined), "an interface's name such as br0"),
    isDefault: read('isDefault', parseBoolean, 'true or false') ?? false,
    icc: read('icc', parseBoolean, 'true or false') ?? true,
    masquerade: read('masquerade', parseBoolean, 'true or false') ?? true,
    hostIp: read('hostIp', (text) => (isIPv4(text) ? text : undefined), 'an IPv4 address'),
    mtu: read('mtu', parseMtu, 'a number of bytes from 68 to 65535'),
    interfacePrefix: read(
      'interfacePrefix',
      (text) => (isInterfaceName(`${text}99`) ? text : undefined),
      "the beginning of an interface's name such as eth",
    ),
  };
}

/** Options of others that ask for what bridges do here anyway. */
const usual: Readonly<Record<string, RegExp>> = {
  [`${vendor}.bridge.gateway_mode_ipv4`]: /^(nat)?$/,
  [`${vendor}.bridge.gateway_mode_ipv6`]: /^(nat)?$/,
  [`${vendor}.bridge.inhibit_ipv4`]: /^(0|f|false)?$/i,
};

/** Names that belong to bridges; all others are the client's own. */
const ofBridges = new RegExp(`^${vendor.replaceAll('.', '\\.')}\\.(bridge\\.|driver\\.|host_ipv[46]$)`);

/**
 * Refuses options of bridges that this driver does not have: the network would behave otherwise than requested.
 * @throws EngineError `invalid-argument` naming option and value.
 */
export function checkBridgeOptions(options: Readonly<Record<string, string>>): void {
  parseBridgeOptions(options);
  const known = new Set(Object.values(names).flat());
  for (const [name, value] of Object.entries(options)) {
    if (!ofBridges.test(name) || known.has(name) || usual[name]?.test(value) === true) continue;
    throw invalidArgument(`invalid option ${name}: "${value}" is not supported by bridges of this engine`);
  }
}

/** The spellings that clients send. */
function parseBoolean(text: string): boolean | undefined {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text) ? false : undefined;
}
