import { servicePoint } from '@gantry/core/points';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import { kernelNftables } from './kernel-nftables.js';

/** Commands in the language of nft(8), or the `nftables` array of its JSON form. */
export type NftCommands = string | readonly object[];

export interface NftablesOptions {
  /**
   * The network namespace whose rules it changes; the calling thread's by default. An open session keeps it alive, and
   * a descriptor must stay open as long.
   */
  readonly namespace?: NamespaceReference;
}

export interface Nftables {
  /** Throws LinuxError `ENOENT` when the library is not installed, saying which package has it. */
  open(options?: NftablesOptions): NftablesSession;
  /** A view of the packet filter that costs microseconds, however many elements its sets have. */
  openView(options?: NftablesOptions): RulesetView;
}

export const Nftables = servicePoint<Nftables>('linux.nftables', { fallback: () => kernelNftables });

/** A view of the ruleset of one network namespace that detects external changes. Synchronous. */
export interface RulesetView {
  /** Changes with every transaction, of any process. */
  generation(): number;
  /** Rules in all chains of a table; 0 when it is not there. */
  countRules(family: NftFamily, table: string): number;
  /** Elements of a set or map; an interval is one. Throws LinuxError `ENOENT` when the set is not there. */
  countElements(family: NftFamily, table: string, set: string): number;
  close(): void;
}

export type NftFamily = 'inet' | 'ip' | 'ip6' | 'arp' | 'bridge' | 'netdev';

/** A connection to the packet filter of one network namespace. Commands run in the order they were given. */
export interface NftablesSession {
  /**
   * Runs commands as one transaction: all of them or none. Resolves to what they print, JSON when the commands are
   * JSON. Rejects NftablesError.
   */
  run(commands: NftCommands): Promise<string>;
  /** The same, on this thread: under 1 ms for a few commands. */
  runSync(commands: NftCommands): string;
  /** Closes the connection once the queued commands have run. Rules stay. */
  close(): void;
}
