import { ClusterService, type ManagerSession, NodeConnections, type NodeSession } from '@gantry/cluster/service';
import { inject, injectable, Lifetime, Logger } from '@gantry/core/driver';
import type { AgentSession, AgentSessions } from '../service.js';
import { LocalSessions } from './local-sessions.js';
import { RemoteSession } from './remote-session.js';

type Run = (session: AgentSession) => Promise<void>;

/** The sessions of this engine's agent: the leader's own needs no connection. */
@injectable()
export class NodeAgentSessions implements AgentSessions {
  /** Shared by all that follow them: each is two streams of the leader. */
  readonly #remote = new WeakMap<NodeSession, RemoteSession>();

  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(NodeConnections.token) private readonly connections: NodeConnections,
    @inject(LocalSessions) private readonly local: LocalSessions,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  onSession(run: Run): () => void {
    const releases = [
      this.cluster.whileManager((session) => this.#runLocal(session, run)),
      this.connections.whileNode((session) => this.#runRemote(session, run)),
    ];
    const release = (): void => {
      for (const each of releases) each();
    };
    this.lifetime.add(release);
    return release;
  }

  async #runLocal(session: ManagerSession, run: Run): Promise<void> {
    const local = this.local.create(session);
    const watching = local.watch();
    await run(local);
    await watching;
  }

  async #runRemote(session: NodeSession, run: Run): Promise<void> {
    const remote = this.#remote.get(session) ?? new RemoteSession(session, this.log);
    this.#remote.set(session, remote);
    await remote.begun(); // before its tasks are known, containers of tasks would be taken for orphans
    await run(remote);
    await remote.ended();
  }
}
