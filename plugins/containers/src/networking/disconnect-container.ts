import { inject, injectable } from '@gantry/core/driver';
import { internal, kindOf } from '@gantry/core/errors';
import { EndpointService, NetworkService } from '@gantry/networks/service';
import type { Container } from '../container.js';
import { HostsFiles } from '../sandbox/hosts-files.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import { nameOnRecord } from './check-membership.js';

/** Spec: POST /networks/(id)/disconnect. */
@injectable()
export class DisconnectContainer {
  constructor(
    @inject(ContainerStore) private readonly store: ContainerStore,
    @inject(NetworkService.token) private readonly networks: Pick<NetworkService, 'get'>,
    @inject(EndpointService.token) private readonly endpoints: EndpointService,
    @inject(HostsFiles) private readonly hostsFiles: HostsFiles,
  ) {}

  /** @param force also removes an endpoint that is on no container's record, such as one of a container that is gone. */
  async disconnect(reference: string, networkId: string, { force }: { readonly force: boolean }): Promise<void> {
    const container = this.#find(reference, force);
    if (container === undefined) return this.endpoints.disconnectAbsent(reference, networkId);
    return container.mutex.run(() => this.#disconnect(container, networkId, force));
  }

  #find(reference: string, force: boolean): Container | undefined {
    try {
      return this.store.get(reference);
    } catch (error) {
      if (force && kindOf(error) === 'not-found') return undefined;
      throw error;
    }
  }

  async #disconnect(container: Container, networkId: string, force: boolean): Promise<void> {
    const { id } = container;
    const name = nameOnRecord(container.record, this.networks, networkId);
    if (name === undefined) {
      const hasEndpoint = this.endpoints.endpointsOf(id).some((endpoint) => endpoint.networkId === networkId);
      if (force && hasEndpoint) return container.networkMutex.run(() => this.endpoints.disconnect(id, networkId));
      throw internal(`container ${id} is not connected to network ${this.networks.get(networkId).name}`);
    }
    const settings = container.record.networks[name];
    // Recorded first: after a crash, `UnrecordedEndpoints` leaves the network.
    await container.change((record) => {
      const { [name]: _removed, ...others } = record.networks;
      return { ...record, networks: others };
    });
    if (!isAlive(container.record.state)) return;
    const endpoint = this.endpoints.endpointsOf(id).find((candidate) => candidate.networkId === networkId);
    try {
      await container.networkMutex.run(() => this.endpoints.disconnect(id, networkId));
    } catch (error) {
      await container.change((record) =>
        settings === undefined ? undefined : { ...record, networks: { ...record.networks, [name]: settings } },
      );
      throw error;
    }
    if (endpoint !== undefined) await this.hostsFiles.removeEndpoint(container.record, endpoint);
  }
}
