export {
  type Block,
  bitsOf,
  formatAddress,
  formatSubnet,
  overlap,
  parseAddress,
  parseSubnet,
  type Subnet,
  subnetAt,
  within,
} from './subnet.js';
