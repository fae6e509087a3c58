export { kernelSeqpacket } from './kernel-seqpacket.js';
export { Seqpacket, type SeqpacketConnection } from './seqpacket.js';
