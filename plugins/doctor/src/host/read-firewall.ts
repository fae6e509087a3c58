import { pathExists } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { Nftables } from '@gantry/lib-linux/nftables';
import type { FirewallFacts, ForwardChain } from './host-facts.js';
import type { HostSettings } from './host-settings.js';
import { readText } from './read-text.js';

interface Listed {
  readonly table?: { readonly family: string; readonly name: string };
  readonly chain?: {
    readonly family: string;
    readonly table: string;
    readonly hook?: string;
    readonly policy?: string;
  };
}

export async function readFirewall(
  nftables: Nftables,
  { table, setsForwarding }: HostSettings,
): Promise<FirewallFacts> {
  const isReadable = process.getuid?.() === 0;
  const [listed, firewalld, ufw, legacy, ipForward] = await Promise.all([
    isReadable ? list(nftables) : nothing,
    pathExists('/run/firewalld'),
    readText('/etc/ufw/ufw.conf'),
    readText('/proc/net/ip_tables_names'),
    readText('/proc/sys/net/ipv4/ip_forward'),
  ]);
  const { tables, forwardChains, failure } = listed;
  return {
    isReadable,
    failure,
    tables,
    ownTable: table,
    forwardChains,
    firewalld: firewalld || tables.includes('inet firewalld'),
    ufw: /^ENABLED=yes$/m.test(ufw ?? ''),
    legacyTables: (legacy ?? '').split('\n').filter((name) => name !== ''),
    ipForward: ipForward === undefined ? undefined : ipForward === '1',
    setsForwarding,
  };
}

type Rules = Pick<FirewallFacts, 'tables' | 'forwardChains' | 'failure'>;

const nothing: Rules = { tables: [], forwardChains: [], failure: undefined };

async function list(nftables: Nftables): Promise<Rules> {
  try {
    const session = nftables.open();
    try {
      const [tables, chains] = await Promise.all(
        ['tables', 'chains'].map((kind) => session.run([{ list: { [kind]: null } }])),
      );
      return { tables: tablesIn(tables ?? ''), forwardChains: forwardChainsIn(chains ?? ''), failure: undefined };
    } finally {
      session.close();
    }
  } catch (error) {
    return { ...nothing, failure: messageOf(error) };
  }
}

const entriesOf = (text: string): readonly Listed[] =>
  text === '' ? [] : (JSON.parse(text) as { readonly nftables: readonly Listed[] }).nftables;

const tablesIn = (text: string): readonly string[] =>
  entriesOf(text).flatMap(({ table }) => (table === undefined ? [] : `${table.family} ${table.name}`));

/** Reads the answer of `nft --json list chains`. */
export const forwardChainsIn = (text: string): readonly ForwardChain[] =>
  entriesOf(text).flatMap(({ chain }) =>
    chain?.hook === 'forward' ? { family: chain.family, table: chain.table, drops: chain.policy === 'drop' } : [],
  );
