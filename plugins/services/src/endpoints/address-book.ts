import { nodes } from '@gantry/cluster/service';
import { type ClusterNetwork, freeAddress, networkKind } from '@gantry/cluster-networks/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import { withoutPrefix } from '@gantry/lib-network';
import { serviceKind, taskKind } from '../records/record-kinds.js';
import { ingressNetwork } from './ingress.js';

/**
 * Allocates addresses on networks of the swarm. What is in use stands in the records of services and tasks: an address is
 * taken by the transaction that stores its record, and free when that is deleted or its task has ended. Only the leader
 * allocates; addresses whose transaction is still on its way are kept here.
 */
@injectable()
export class AddressBook {
  readonly #pending = new Map<string, Set<string>>();
  /** The address that was allocated last, by network. */
  readonly #last = new Map<string, string>();

  open(store: ClusterStore): AddressAllocation {
    return new AddressAllocation(store, this.#pending, this.#last);
  }
}

/** The addresses of one transaction, or of several that are decided together. */
export class AddressAllocation {
  readonly #used = new Map<string, Set<string>>();
  readonly #own: { readonly networkId: string; readonly address: string }[] = [];

  constructor(
    private readonly store: ClusterStore,
    private readonly pending: Map<string, Set<string>>,
    private readonly last: Map<string, string>,
  ) {}

  network(networkId: string): ClusterNetwork | undefined {
    return this.store.get(networkKind, networkId)?.value;
  }

  /** The id of the network that published ports need. */
  ingressId(): string | undefined {
    return ingressNetwork(this.store)?.id;
  }

  /** With prefix length; undefined when none is free, or not the preferred one. */
  allocate(networkId: string, preferred?: string): string | undefined {
    const network = this.network(networkId);
    if (network === undefined) return undefined;
    const used = this.#usedOn(networkId);
    const pending = this.pending.get(networkId);
    const isUsed = (address: string): boolean => used.has(address) || pending?.has(address) === true;
    const found = freeAddress(network, { preferred, isUsed, last: this.last.get(networkId) });
    if (found === undefined) return undefined;
    const address = withoutPrefix(found);
    used.add(address);
    if (pending === undefined) this.pending.set(networkId, new Set([address]));
    else pending.add(address);
    if (preferred === undefined) this.last.set(networkId, address);
    this.#own.push({ networkId, address });
    return found;
  }

  /** Once the transaction has ended: the records show what is in use. */
  close(): void {
    for (const { address, networkId } of this.#own) {
      const pending = this.pending.get(networkId);
      pending?.delete(address);
      if (pending?.size === 0) this.pending.delete(networkId);
    }
  }

  #usedOn(networkId: string): Set<string> {
    let used = this.#used.get(networkId);
    if (used !== undefined) return used;
    used = new Set();
    for (const { value: task } of this.store.select(taskKind, 'network', networkId)) {
      // A container of a node that was removed; tasks end with their node.
      if (task.Attachment !== undefined && this.store.get(nodes, task.NodeID ?? '') === undefined) continue;
      for (const { Addr, NetworkID } of task.Addresses ?? [])
        if (NetworkID === networkId) used.add(withoutPrefix(Addr));
    }
    for (const { value: service } of this.store.list(serviceKind)) {
      for (const { Addr, NetworkID } of service.VirtualIPs ?? []) {
        if (NetworkID === networkId) used.add(withoutPrefix(Addr));
      }
    }
    this.#used.set(networkId, used);
    return used;
  }
}
