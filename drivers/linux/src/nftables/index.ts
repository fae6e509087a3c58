export { kernelNftables } from './kernel-nftables.js';
export type { Nftables, NftablesOptions, NftablesSession, NftCommands } from './nftables.js';
export { NftablesError } from './nftables-error.js';
