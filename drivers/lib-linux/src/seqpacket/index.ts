export { Seqpacket, type SeqpacketConnection } from './seqpacket.js';
