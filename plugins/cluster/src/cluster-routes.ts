import { inject, injectable } from '@gantry/core/driver';
import { ForwardRequests } from './forwarding/forward-requests.js';
import { ForwardedRequests } from './forwarding/forwarded-requests.js';
import { NodeRoutes } from './nodes/node-routes.js';
import { SealedRoutes } from './sealed/sealed-routes.js';
import { SwarmRoutes } from './swarm/swarm-routes.js';

/** All routes of the package. */
@injectable()
export class ClusterRoutes {
  constructor(
    @inject(SwarmRoutes) private readonly swarm: SwarmRoutes,
    @inject(NodeRoutes) private readonly nodes: NodeRoutes,
    @inject(SealedRoutes) private readonly sealed: SealedRoutes,
    @inject(ForwardRequests) private readonly forward: ForwardRequests,
    @inject(ForwardedRequests) private readonly forwarded: ForwardedRequests,
  ) {}

  start(): void {
    this.swarm.start();
    this.nodes.start();
    this.sealed.start();
    this.forward.start();
    this.forwarded.start();
  }
}
