import { isDeepStrictEqual } from 'node:util';
import type { NetworkTunnel, TunnelKey } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { messageOf, notImplemented } from '@gantry/core/errors';
import { Ipsec, type ProtectionPolicy, type SecurityAssociation } from '@gantry/lib-linux/ipsec';
import { NetworkTable } from '../network-table.js';
import { parseOverlayOptions } from '../parse-overlay-options.js';
import { EncryptedPorts } from './encrypted-ports.js';
import { tunnelAssociations } from './tunnel-associations.js';

/** Marks what this driver makes, together with the port: two engines of one host have different ports. */
const requestIdOf = (port: number): number => 0x676e0000 + port;

interface PortState {
  readonly addresses: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
  /** The engine has named the peers of every network. */
  readonly isComplete: boolean;
}

/**
 * The tunnels of encrypted networks have a UDP port of their own. What the kernel sends to it from this node, and receives
 * at it, has to be protected by ESP: a packet is dropped without the right key, and in the clear. Like the entries of peers,
 * policies and keys are compared with the complete set.
 */
@injectable()
export class EncryptedTunnels {
  /** Undefined until the engine has named them: the kernel keeps what an earlier daemon has set. */
  #keys: readonly TunnelKey[] | undefined;

  constructor(
    @inject(Ipsec.token) private readonly ipsec: Ipsec,
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(EncryptedPorts) private readonly ports: EncryptedPorts,
  ) {}

  /** @throws EngineError `not-implemented` where the kernel cannot encrypt. */
  check(options: Readonly<Record<string, string>>): void {
    const { encryption } = parseOverlayOptions(options);
    if (encryption === undefined) return;
    try {
      this.ipsec.probe();
    } catch (cause) {
      throw notImplemented(
        `invalid option ${encryption}: "${options[encryption]}": overlay networks cannot be encrypted on this host,` +
          ` whose kernel lacks ESP with AES-GCM: ${messageOf(cause)}`,
        { cause },
      );
    }
  }

  useKeys(keys: readonly TunnelKey[]): void {
    this.#keys = keys;
    this.repair();
  }

  /** Before the tunnel is made: not one packet of it leaves in the clear. */
  protect({ address, port }: NetworkTunnel): void {
    this.ports.add(port);
    for (const policy of policiesOf(port, address)) this.#ensurePolicy(policy, this.ipsec.policies());
  }

  /** Makes the kernel's policies and keys those of the networks. @returns how many differed. */
  repair(): number {
    const wanted = this.#wanted();
    let changes = 0;
    for (const port of new Set([...this.ports.list(), ...wanted.keys()])) {
      const state = wanted.get(port);
      if (state === undefined) this.#release(port);
      else changes += this.#repairPolicies(port, state) + this.#repairAssociations(port, state);
    }
    return changes;
  }

  #wanted(): ReadonlyMap<number, PortState> {
    const ports = new Map<number, { addresses: Set<string>; nodes: Set<string>; isComplete: boolean }>();
    for (const { isEncrypted, peerSet, tunnel } of this.networks.values()) {
      if (!isEncrypted || tunnel === undefined) continue;
      const { address, port } = tunnel;
      const state = ports.get(port) ?? { addresses: new Set(), nodes: new Set(), isComplete: true };
      ports.set(port, state);
      state.addresses.add(address);
      for (const { node } of peerSet?.peers ?? []) if (node !== address && node !== '') state.nodes.add(node);
      state.isComplete &&= peerSet !== undefined;
    }
    return ports;
  }

  #repairPolicies(port: number, { addresses }: PortState): number {
    const wanted = [...addresses].flatMap((address) => policiesOf(port, address));
    const present = this.ipsec.policies().filter(({ requestId }) => requestId === requestIdOf(port));
    let changes = 0;
    for (const policy of wanted) changes += this.#ensurePolicy(policy, present);
    for (const policy of present) {
      if (wanted.some((each) => isDeepStrictEqual(each, policy))) continue;
      this.ipsec.deletePolicy(policy);
      changes++;
    }
    return changes;
  }

  #ensurePolicy(policy: ProtectionPolicy, present: readonly ProtectionPolicy[]): number {
    if (present.some((each) => isDeepStrictEqual(each, policy))) return 0;
    this.ipsec.setPolicy(policy);
    return 1;
  }

  /** New keys are there before those that they replace are deleted. */
  #repairAssociations(port: number, { addresses, isComplete, nodes }: PortState): number {
    if (this.#keys === undefined) return 0;
    const keys = this.#keys;
    const requestId = requestIdOf(port);
    const wanted = [...addresses].flatMap((address) => tunnelAssociations({ address, nodes, keys, requestId }));
    const present = this.#associations(port);
    const presentIds = new Set(present.map(idOf));
    const wantedIds = new Set(wanted.map(idOf));
    let changes = 0;
    for (const association of wanted.filter((each) => !presentIds.has(idOf(each)))) {
      this.ipsec.addAssociation(association);
      changes++;
    }
    for (const association of present.filter((each) => isComplete && !wantedIds.has(idOf(each)))) {
      this.ipsec.deleteAssociation(association);
      changes++;
    }
    return changes;
  }

  /** No network uses the port any more. */
  #release(port: number): void {
    for (const policy of this.ipsec.policies()) {
      if (policy.requestId === requestIdOf(port)) this.ipsec.deletePolicy(policy);
    }
    for (const association of this.#associations(port)) this.ipsec.deleteAssociation(association);
    this.ports.delete(port);
  }

  #associations(port: number): readonly SecurityAssociation[] {
    return this.ipsec.associations().filter(({ requestId }) => requestId === requestIdOf(port));
  }
}

const idOf = ({ destination, source, spi }: SecurityAssociation): string => `${source} ${destination} ${spi}`;

function policiesOf(port: number, address: string): readonly ProtectionPolicy[] {
  const common = {
    family: address.includes(':') ? 'ipv6' : 'ipv4',
    destinationPort: port,
    requestId: requestIdOf(port),
  } as const;
  return [
    { direction: 'in', destination: address, ...common },
    { direction: 'out', source: address, ...common },
  ];
}
