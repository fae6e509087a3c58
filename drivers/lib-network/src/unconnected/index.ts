export { UnconnectedNetworks } from './unconnected-networks.js';
