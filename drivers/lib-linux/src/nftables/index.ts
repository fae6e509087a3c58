export {
  Nftables,
  type NftablesOptions,
  type NftablesSession,
  type NftCommands,
  type NftFamily,
  type RulesetView,
} from './nftables.js';
export { NftablesError } from './nftables-error.js';
