import type { Readable } from 'node:stream';
import { inject, injectable, linkedSignal } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { NodeRequest } from '@gantry/lib-cluster-protocol';
import { AnsweredPaths } from './connections/answered-paths.js';
import { SwarmMembership } from './membership/swarm-membership.js';
import { nodes } from './records/node-kind.js';
import type { AnsweredRequest, NodeConnections, NodeSession } from './service.js';
import { NodeSessions } from './sessions/node-sessions.js';

/** What other areas use of the connections between nodes. */
@injectable()
export class SwarmNodeConnections implements NodeConnections {
  constructor(
    @inject(SwarmMembership) private readonly membership: SwarmMembership,
    @inject(AnsweredPaths) private readonly paths: AnsweredPaths,
    @inject(NodeSessions) private readonly sessions: NodeSessions,
  ) {}

  whileNode(run: (session: NodeSession) => Promise<void> | void): () => void {
    return this.sessions.whileNode(run);
  }

  answer(path: string, answer: (request: AnsweredRequest) => Promise<unknown>): () => void {
    return this.paths.add(path, {
      type: 'call',
      access: 'nodes',
      answer: async (request) => answer(this.#request(request)),
    });
  }

  answerStream(path: string, answer: (request: AnsweredRequest) => AsyncIterable<unknown>): () => void {
    return this.paths.add(path, {
      type: 'stream',
      access: 'nodes',
      answer: (request) => answer(this.#request(request)),
    });
  }

  answerUpload(path: string, answer: (request: AnsweredRequest, bytes: Readable) => Promise<void>): () => void {
    return this.paths.add(path, {
      type: 'upload',
      access: 'nodes',
      answer: async (request, bytes) => answer(this.#request(request), bytes),
    });
  }

  /** @throws EngineError `not-found` for a node that was removed from the swarm, whatever its certificate says. */
  #request({ body, peer, signal }: NodeRequest): AnsweredRequest {
    const session = this.membership.present();
    const nodeId = peer?.nodeId ?? '';
    if (session.store.get(nodes, nodeId) === undefined) throw notFound(`node ${nodeId} is not part of the swarm`);
    return { session, nodeId, body, signal: linkedSignal(signal, session.signal) };
  }
}
