import { networkInterfaces } from 'node:os';

/** The address of this host that a connection has, as long as it has it. */
export class HostAddress {
  readonly #wasListed: boolean;

  constructor(private readonly address: string) {
    this.#wasListed = addressesOfHost().has(address);
  }

  /**
   * Whether the host has lost the address: nothing that is sent over the connection arrives any more, and nothing says so.
   * Addresses that no interface lists, such as most of 127.0.0.0/8, are never lost.
   */
  isLost(present: ReadonlySet<string> = recentAddresses()): boolean {
    return this.#wasListed && !present.has(this.address);
  }
}

let known: ReadonlySet<string> = new Set();

/** All addresses of the interfaces of this host, now; as they were last, when the process has no descriptor left to ask with. */
export function addressesOfHost(): ReadonlySet<string> {
  try {
    const all = Object.values(networkInterfaces());
    known = new Set(all.flatMap((addresses) => addresses?.map(({ address }) => address) ?? []));
  } catch {
    // Nothing is taken for lost that may be there.
  }
  return known;
}

/** Milliseconds for which the addresses are taken to be the same: every connection of a process asks. */
const recency = 200;

let recent: { readonly at: number; readonly addresses: ReadonlySet<string> } | undefined;

function recentAddresses(): ReadonlySet<string> {
  const now = performance.now();
  if (recent === undefined || now - recent.at > recency) recent = { at: now, addresses: addressesOfHost() };
  return recent.addresses;
}

/** Without the prefix of IPv4 addresses on sockets for both families, and the interface of link-local ones. */
export const plainAddress = (address = ''): string => address.replace(/^::ffff:/, '').replace(/%.*$/, '');
