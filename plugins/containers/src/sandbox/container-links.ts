import { inject, injectable } from '@gantry/core/driver';
import { internal, kindOf } from '@gantry/core/errors';
import { EndpointService } from '@gantry/networks/service';
import type { ContainerRecord } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { isAlive } from '../transitions.js';
import { type Link, parseLink } from './parse-link.js';
import type { ResolvedLink } from './resolved-link.js';

/** The network on which links are the only names. */
const defaultNetwork = 'bridge';

/** Resolves the links of containers to other containers and their endpoints. */
@injectable()
export class ContainerLinks {
  constructor(
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'lookup'>,
    @inject(EndpointService.token) private readonly endpoints: Pick<EndpointService, 'endpointsOf'>,
  ) {}

  /**
   * The links of a start: on the default network all of them, on others those that run. @throws EngineError `not-found`; `internal` ("Cannot link to a non running container: X AS
   * Y", "Cannot link to X, as it does not belong to the default network").
   */
  required(record: ContainerRecord): ResolvedLink[] {
    if (!(defaultNetwork in record.networks)) return this.running(record);
    return linksOf(record).map((link) => {
      const resolved = this.#resolve(link, record);
      const { alias, container, endpoint } = resolved;
      if (!isAlive(container.state)) {
        throw internal(`Cannot link to a non running container: /${container.name} AS /${record.name}/${alias}`);
      }
      if (endpoint === undefined) {
        throw internal(`Cannot link to /${container.name}, as it does not belong to the default network`);
      }
      return resolved;
    });
  }

  /** The links whose containers are running now. */
  running(record: ContainerRecord): ResolvedLink[] {
    return linksOf(record).flatMap((link) => {
      try {
        const resolved = this.#resolve(link, record);
        return isAlive(resolved.container.state) ? [resolved] : [];
      } catch (error) {
        if (kindOf(error) === 'not-found') return [];
        throw error;
      }
    });
  }

  #resolve({ target, alias }: Link, record: ContainerRecord): ResolvedLink {
    const container = this.store.lookup.get(target);
    const endpoints = this.endpoints.endpointsOf(container.id);
    const endpoint = endpoints.find(({ networkName }) => networkName in record.networks);
    return { alias, container, endpoint };
  }
}

const linksOf = (record: ContainerRecord): Link[] => (record.hostConfig.Links ?? []).map(parseLink);
