import { inject, injectable, Logger } from '@gantry/core/driver';
import { EndpointService } from '@gantry/networks/service';
import type { PublishedService } from '@gantry/services/service';
import { IngressPort, type IngressTarget } from './ingress-port.js';

/** The published ports of the cluster on this host. */
@injectable()
export class IngressPorts {
  readonly #open = new Map<number, IngressPort>();

  constructor(
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'endpointsOf'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  /**
   * Opens, balances and closes ports so that exactly these are published. A taken one is tried again by the next call.
   * Resolves to whether all are published.
   */
  async publish(services: readonly PublishedService[]): Promise<boolean> {
    const wanted = new Map(
      services.filter(({ protocol }) => protocol === 'tcp').map((service) => [service.publishedPort, service]),
    );
    for (const [number, port] of this.#open) {
      if (wanted.has(number)) continue;
      port.close();
      this.#open.delete(number);
    }
    const published = await Promise.all([...wanted.values()].map((service) => this.#publish(service)));
    return published.every(Boolean);
  }

  async #publish({ publishedPort, targets }: PublishedService): Promise<boolean> {
    const port = this.#open.get(publishedPort) ?? (await this.#openPort(publishedPort));
    port?.balance(targets.flatMap(({ containerId, port: target }) => this.#targetOf(containerId, target)));
    return port !== undefined;
  }

  async #openPort(number: number): Promise<IngressPort | undefined> {
    const port = new IngressPort(number);
    try {
      await port.open();
    } catch (error) {
      this.log.warn({ event: 'agent.port-taken', port: number, err: error }, 'failed to publish a port of a service');
      return undefined;
    }
    this.#open.set(number, port);
    return port;
  }

  #targetOf(containerId: string, port: number): readonly IngressTarget[] {
    const endpoint = this.endpoints.endpointsOf(containerId).find(({ ipv4Address }) => ipv4Address !== '');
    return endpoint === undefined ? [] : [{ address: endpoint.ipv4Address, port }];
  }
}
