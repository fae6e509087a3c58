export { kernelNftables } from './kernel-nftables.js';
export type { Nftables, NftablesOptions, NftablesSession, NftCommands, NftFamily, RulesetView } from './nftables.js';
export { NftablesError } from './nftables-error.js';
