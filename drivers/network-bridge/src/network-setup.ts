import type { NetworkSpec } from '@gantry/core/contracts';
import { Config, inject, injectable } from '@gantry/core/driver';
import { forbidden } from '@gantry/core/errors';
import { overlap } from '@gantry/lib-network/subnet';
import { BridgeNetwork } from './bridge-network.js';
import type { BridgeConfig } from './config.js';
import { Firewall } from './firewall/firewall.js';
import { Forwarding } from './forwarding.js';
import { Bridges } from './links/bridges.js';
import { DefaultBridgeCheck } from './links/default-bridge-check.js';
import { LinkRemoval } from './links/link-removal.js';
import { bridgeNameOf } from './options/names.js';
import { parseBridgeOptions } from './options/parse-bridge-options.js';

/** What a network has on the host beside its endpoints: its bridge, forwarding and its rules. */
@injectable()
export class NetworkSetup {
  constructor(
    @inject(Config) private readonly config: BridgeConfig,
    @inject(Bridges) private readonly bridges: Bridges,
    @inject(DefaultBridgeCheck) private readonly defaultBridgeCheck: DefaultBridgeCheck,
    @inject(Forwarding) private readonly forwarding: Forwarding,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(LinkRemoval) private readonly removal: LinkRemoval,
  ) {}

  /**
   * Checks a network against the others. `defaultMtu` is asked for when the options have none: many networks share an answer.
   * @throws EngineError `invalid-argument`, `forbidden` naming both networks.
   */
  describe(
    spec: NetworkSpec,
    others: Iterable<BridgeNetwork>,
    defaultMtu: () => number = () => this.bridges.defaultMtu(),
  ): BridgeNetwork {
    const options = parseBridgeOptions(spec.options);
    const bridge = options.bridge ?? (options.isDefault ? this.config.defaultBridge : bridgeNameOf(spec.id));
    const network = new BridgeNetwork(spec, options, bridge, options.mtu ?? defaultMtu());
    refuseConflicts(network, others);
    return network;
  }

  /** Reads the default MTU when it is first asked for, and only then: the kernel lists all routes for it. */
  sharedDefaultMtu(): () => number {
    let mtu: number | undefined;
    return () => {
      mtu ??= this.bridges.defaultMtu();
      return mtu;
    };
  }

  /** Creates bridge and rules. On a throw neither is left. */
  async create(network: BridgeNetwork): Promise<void> {
    if (network.options.isDefault && network.options.bridge === undefined)
      this.defaultBridgeCheck.refuseConflicts(network);
    const isNew = !this.bridges.exists(network);
    try {
      this.ensure(network);
      this.firewall.addNetwork(network.rules);
    } catch (error) {
      if (isNew) await this.removal.remove(network.bridge);
      throw error;
    }
  }

  /** Creates or repairs the bridge and enables forwarding. */
  ensure(network: BridgeNetwork): void {
    this.bridges.ensure(network);
    if (network.spec.internal) return;
    this.forwarding.require('ipv4');
    if (network.spec.ipv6) this.forwarding.require('ipv6');
  }

  /** Removes rules and bridge once the last endpoint has left. */
  async remove(network: BridgeNetwork): Promise<void> {
    await Promise.allSettled(network.leaving.values());
    this.firewall.removeNetwork(network.id);
    const bridge = this.bridges.removable(network);
    if (bridge !== undefined) await this.removal.remove(bridge);
  }
}

function refuseConflicts(network: BridgeNetwork, others: Iterable<BridgeNetwork>): void {
  for (const other of others) {
    const conflictOver = (what: string) =>
      forbidden(
        `cannot create network ${network.id} (${network.bridge}): conflicts with network ${other.id}` +
          ` (${other.bridge}): networks have ${what}`,
      );
    if (other.bridge === network.bridge) throw conflictOver('same bridge name');
    for (const subnet of network.subnets) {
      if (other.subnets.some((each) => overlap(each, subnet))) {
        throw conflictOver(`overlapping ${subnet.family === 'ipv4' ? 'IPv4' : 'IPv6'}`);
      }
    }
  }
}
