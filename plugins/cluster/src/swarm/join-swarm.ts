import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument, notAcceptable, notImplemented } from '@gantry/core/errors';
import { type RequestedAddresses, resolveAddresses } from '../membership/node-addresses.js';
import { SwarmMembership } from '../membership/swarm-membership.js';

interface JoinRequest extends RequestedAddresses {
  readonly RemoteAddrs?: readonly string[] | undefined;
  readonly JoinToken?: string | undefined;
}

/** Checks a request to join another engine's swarm, which this engine cannot do yet. */
@injectable()
export class JoinSwarm {
  constructor(@inject(SwarmMembership) private readonly membership: SwarmMembership) {}

  /** @throws EngineError always: `not-acceptable` in a swarm, `invalid-argument`, else `not-implemented`. */
  join(request: JoinRequest): never {
    if (this.membership.state.status !== 'inactive') {
      throw notAcceptable(
        'This node is already part of a swarm. Use "docker swarm leave" to leave this swarm and join another one.',
      );
    }
    const { RemoteAddrs = [], JoinToken = '' } = request;
    if (RemoteAddrs.length === 0)
      throw invalidArgument('RemoteAddrs: at least one address of a manager is needed to join');
    if (JoinToken === '') throw invalidArgument('JoinToken: a join token is needed to join');
    resolveAddresses(request);
    throw notImplemented(
      `this engine cannot join the swarm of ${RemoteAddrs.join(', ')}: swarms of more than one node are not supported`,
    );
  }
}
