export { kernelNftables } from './kernel-nftables.js';
export type { NftablesOptions, NftablesSession, NftCommands, Nftables } from './nftables.js';
export { NftablesError } from './nftables-error.js';
