import { injectable } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { Attachment, SwarmNetwork, SwarmNetworks, SwarmNode } from '../service.js';
import type { NetworkRecord } from './records.js';

/** What areas that know the swarm have registered. */
@injectable()
export class SwarmSources {
  #networks: SwarmNetworks | undefined;
  #node: SwarmNode | undefined;
  readonly #records = new WeakMap<SwarmNetwork, NetworkRecord>();

  addNetworks(source: SwarmNetworks): () => void {
    this.#networks = source;
    return () => {
      if (this.#networks === source) this.#networks = undefined;
    };
  }

  addNode(source: SwarmNode): () => void {
    this.#node = source;
    return () => {
      if (this.#node === source) this.#node = undefined;
    };
  }

  get source(): SwarmNetworks | undefined {
    return this.#networks;
  }

  get node(): SwarmNode | undefined {
    return this.#node;
  }

  networks(): readonly NetworkRecord[] {
    const known = new Map<string, SwarmNetwork>();
    for (const network of [...(this.#networks?.list() ?? []), ...(this.#node?.networks() ?? [])]) {
      if (!known.has(network.id)) known.set(network.id, network);
    }
    return [...known.values()].map((network) => this.#toRecord(network));
  }

  network(id: string): NetworkRecord | undefined {
    return this.networks().find((network) => network.id === id);
  }

  /** Names of services and of the containers of other nodes. */
  namesOn(networkId: string): ReadonlyMap<string, readonly string[]> | undefined {
    return this.#node?.stateOf(networkId)?.names;
  }

  /** The address of a container on a network of the swarm. Rejects as `SwarmNode.attach` does. */
  async attach(
    { id, name }: NetworkRecord,
    container: { readonly id: string; readonly name: string },
    { aliases, ipv4Address, macAddress }: Attachment,
  ): Promise<string> {
    if (this.#node === undefined) throw unavailable(`network ${name} needs a swarm, which this engine is not part of`);
    return this.#node.attach({
      networkId: id,
      containerId: container.id,
      containerName: container.name,
      aliases,
      ...(ipv4Address !== undefined && { ipv4Address }),
      ...(macAddress !== undefined && { macAddress }),
    });
  }

  /** Rejects as `SwarmNetworks.remove` does. */
  async remove({ id, name }: NetworkRecord): Promise<void> {
    if (this.#networks === undefined) throw unavailable(`network ${name} belongs to a swarm that this engine has left`);
    await this.#networks.remove(id);
  }

  #toRecord(network: SwarmNetwork): NetworkRecord {
    const known = this.#records.get(network);
    if (known !== undefined) return known;
    const { driverOptions, ingress, pools, vxlanId, ...rest } = network;
    const record: NetworkRecord = {
      ...rest,
      ipv6: false,
      predefined: false,
      pools: pools.map((pool) => ({ ...pool, ipv6: false })),
      swarm: { ingress, vxlanId, ...(driverOptions !== undefined && { driverOptions }) },
    };
    this.#records.set(network, record);
    return record;
  }
}
