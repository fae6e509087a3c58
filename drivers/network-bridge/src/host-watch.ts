import { Config, inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import { type BridgeEndpoint, type BridgeNetwork, endpointRules } from './bridge-network.js';
import type { BridgeConfig } from './config.js';
import { EndpointRestorer } from './endpoint-restorer.js';
import { Firewall } from './firewall/firewall.js';
import { Forwarding } from './forwarding.js';
import { Bridges } from './links/bridges.js';
import { EndpointLinks } from './links/endpoint-links.js';
import { NetworkSetup } from './network-setup.js';
import { NetworkTable } from './network-table.js';
import { servePorts } from './ports/serve-ports.js';

/** Checks periodically whether other programs changed rules, bridges, forwarding or ports, and repairs them. */
@injectable()
export class HostWatch {
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(
    @inject(Config) private readonly config: BridgeConfig,
    @inject(NetworkTable) private readonly networks: NetworkTable,
    @inject(Firewall) private readonly firewall: Firewall,
    @inject(Forwarding) private readonly forwarding: Forwarding,
    @inject(Bridges) private readonly bridges: Bridges,
    @inject(EndpointLinks) private readonly links: EndpointLinks,
    @inject(NetworkSetup) private readonly setup: NetworkSetup,
    @inject(EndpointRestorer) private readonly restorer: EndpointRestorer,
    @inject(Logger) private readonly log: Logger,
    @inject(Lifetime) lifetime: Lifetime,
  ) {
    lifetime.add(() => this.stop());
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), this.config.checkSeconds * 1000).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A failure is logged once, until a check succeeds again. */
  #tick(): void {
    try {
      this.#check();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) {
        this.log.error({ event: 'host.check-failed', error }, 'failed to repair the host network');
      }
      this.#hasFailed = true;
    }
  }

  #check(): void {
    this.firewall.check();
    this.forwarding.check();
    for (const network of this.networks.values()) {
      for (const endpoint of network.endpoints.values()) this.#reclaimPorts(network, endpoint);
      if (!this.bridges.isIntact(network)) this.#repairBridge(network);
    }
  }

  #repairBridge(network: BridgeNetwork): void {
    const facts = { event: 'bridge.repair', networkId: network.id, bridge: network.bridge };
    this.log.warn(facts, 'a bridge was modified externally; restoring it');
    this.setup.ensure(network);
    for (const { veth } of network.endpoints.values()) {
      if (veth !== undefined) this.links.attach(network, veth);
    }
  }

  /** Reserves ports again that another program had bound while the daemon was down. */
  #reclaimPorts(network: BridgeNetwork, endpoint: BridgeEndpoint): void {
    const ports = this.restorer.reclaimPorts(endpoint);
    if (ports === undefined) return;
    const { endpointId } = endpoint.request;
    const restored = { ...endpoint, ports };
    this.firewall.removeEndpoint(endpointId);
    this.firewall.addEndpoint(endpointRules(restored));
    network.endpoints.set(endpointId, restored);
    servePorts(restored);
    this.log.info({ event: 'port.reclaimed', endpointId }, 'a lost published port is free again and was reclaimed');
  }
}
