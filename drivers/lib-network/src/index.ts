export { contains, familyOf, overlap, subnetOf, withoutPrefix } from './address.js';
export { checkRequest } from './check-request.js';
export { ConnectedNetwork } from './connected-network.js';
export { macOf } from './endpoint-mac.js';
export { isInterfaceName, withInterfacePrefix } from './interface-name.js';
export { networkOf } from './network-of.js';
export { type OptionNames, optionReader, parseMtu } from './network-options.js';
export { allowIpv6, assignAddresses, openSandbox } from './sandbox-end.js';
export { silenceIpv6 } from './silence-ipv6.js';
