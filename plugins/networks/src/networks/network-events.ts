import { inject, injectable } from '@gantry/core/driver';
import { EngineEvents } from '@gantry/core/plugin';
import { shownDriver } from '../driver-names.js';
import { NetworkStore } from '../store/network-store.js';
import type { EndpointRecord, NetworkRecord } from '../store/records.js';

/** Publishes the events of type `network`. */
@injectable()
export class NetworkEvents {
  constructor(
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(NetworkStore) private readonly store: NetworkStore,
  ) {}

  publish(action: 'create' | 'destroy', { id, name, driver }: NetworkRecord): void {
    this.events.publish({ type: 'network', action, actor: { id, attributes: { name, type: shownDriver(driver) } } });
  }

  publishEndpoint(action: 'connect' | 'disconnect', { containerId, isGateway, networkId }: EndpointRecord): void {
    const network = this.store.network(networkId);
    if (network === undefined || isGateway === true) return;
    const attributes = { container: containerId, name: network.name, type: shownDriver(network.driver) };
    this.events.publish({ type: 'network', action, actor: { id: network.id, attributes } });
  }
}
