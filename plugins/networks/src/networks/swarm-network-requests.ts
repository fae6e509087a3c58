import type { NetworkDriver } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { forbidden, invalidArgument, notImplemented, unavailable } from '@gantry/core/errors';
import { SwarmSources } from '../store/swarm-sources.js';
import type { CreateNetworkRequest } from './create-network.js';
import type { NetworkRequest } from './set-up-network.js';

/** Creates networks that all nodes of the swarm have. */
@injectable()
export class SwarmNetworkRequests {
  constructor(@inject(SwarmSources) private readonly swarm: SwarmSources) {}

  /** Whether the network is to be one of the swarm. @throws EngineError for a scope that the driver does not have. */
  isOfSwarm({ capabilities }: NetworkDriver, { ingress = false, scope }: Scoped): boolean {
    if (capabilities.peers === true) {
      if (scope === 'local') throw forbidden('cannot downgrade network scope for overlay networks');
      if (scope === 'swarm' && this.swarm.source === undefined) {
        throw forbidden('cannot create a swarm scoped network when swarm is not active');
      }
      if (scope !== undefined && scope !== 'swarm') throw notImplemented(`Scope: "${scope}" is not supported`);
      return true;
    }
    if (capabilities.scope === 'global' && this.swarm.source?.isActive === true && !ingress) {
      if (scope === 'local') throw forbidden('cannot downgrade network scope for global networks');
      if (scope === undefined || scope === 'swarm' || scope === 'global') return true;
    }
    if (ingress) throw notImplemented('Ingress: true is not supported, except by the driver overlay');
    if (capabilities.scope === 'global' && scope === 'swarm') {
      throw forbidden('cannot create a swarm scoped network when swarm is not active');
    }
    if (scope !== undefined && scope !== 'local' && scope !== capabilities.scope)
      throw notImplemented(`Scope: "${scope}" is not supported`);
    return false;
  }

  /** Rejects as `SwarmNetworks.create` does, and `unavailable` outside of a swarm. */
  async create(driver: NetworkDriver, request: NetworkRequest & Scoped): Promise<{ readonly id: string }> {
    const {
      attachable = false,
      configFrom,
      ingress = false,
      internal,
      ipam,
      ipv4 = true,
      ipv6,
      labels,
      name,
    } = request;
    if (configFrom !== undefined) throw notImplemented(`ConfigFrom: "${configFrom}" is not supported by this driver`);
    if (ipv6) throw notImplemented('EnableIPv6: true is not supported by networks of a swarm');
    if (!ipv4) throw notImplemented('EnableIPv4: false is not supported by networks of a swarm');
    if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)) throw invalidArgument(`invalid name: ${name}`);
    const { driver: id, options, pools } = request;
    driver.validate({ id: name, name, options, internal, ipv6, pools: [] });
    if (this.swarm.source === undefined) throw unavailable(noManager);
    const wanted = { name, driver: id, internal, attachable, ingress, ipam, labels, options, pools };
    return { id: await this.swarm.source.create(wanted) };
  }
}

type Scoped = Pick<CreateNetworkRequest, 'scope' | 'ingress'>;

const noManager =
  'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and' +
  ' try again.';
