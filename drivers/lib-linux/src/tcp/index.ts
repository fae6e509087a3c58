export { isClosedByPeer } from './is-closed-by-peer.js';
export { PacketLoss } from './packet-loss.js';
