export { contains, familyOf, overlap, subnetOf, withoutPrefix } from './address.js';
export { checkRequest } from './check-request.js';
export { ConnectedNetwork } from './connected-network.js';
export { disableIpv6 } from './disable-ipv6.js';
export { macOf } from './endpoint-mac.js';
export { isInterfaceName, withInterfacePrefix } from './interface-name.js';
export { networkOf } from './network-of.js';
export { type OptionNames, optionReader, parseMtu } from './network-options.js';
export { assignAddresses, carriesRoute, enableIpv6, openSandbox } from './sandbox-interface.js';
