import { inject, injectable } from '@gantry/core/driver';
import type { EndpointSettings, NetworkContainers } from '@gantry/networks/service';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import { ConnectContainer } from './connect-container.js';
import { DisconnectContainer } from './disconnect-container.js';

/** Containers as the networks area needs them. */
@injectable()
export class AttachableContainers implements NetworkContainers {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(ConnectContainer) private readonly connectContainer: ConnectContainer,
    @inject(DisconnectContainer) private readonly disconnectContainer: DisconnectContainer,
  ) {}

  resolve(reference: string): { readonly id: string; readonly name: string; readonly running: boolean } {
    const { id, name, state } = this.store.get(reference).record;
    return { id, name, running: isAlive(state) };
  }

  attach(containerId: string, networkId: string, endpoint: EndpointSettings): Promise<void> {
    return this.connectContainer.connect(containerId, networkId, endpoint);
  }

  detach(containerId: string, networkId: string): Promise<void> {
    return this.disconnectContainer.disconnect(containerId, networkId);
  }
}
