export { kernelSeqpacket } from './kernel-seqpacket.js';
export type { Seqpacket, SeqpacketConnection } from './seqpacket.js';
