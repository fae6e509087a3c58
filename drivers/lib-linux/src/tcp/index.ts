export { PacketLoss } from './packet-loss.js';
