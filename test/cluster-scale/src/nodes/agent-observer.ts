import { definePlugin, inject, injectable, Lifetime, untilAborted } from '@gantry/core/plugin';
import { type AgentSession, AgentSessions } from '@gantry/services/service';
import { Type } from '@sinclair/typebox';

interface ObservedAgent {
  /** The node has received a task, so many milliseconds after the manager decided to assign it. */
  assigned(taskId: string, delay: number): void;
  /** The manager has sent something: all tasks or networks after every new connection, and then what has changed. */
  heard(): void;
  /** The ids of the keys with which the node encrypts its networks. */
  keys?(ids: readonly string[]): void;
}

const observedAgent = Symbol('observed agent');

@injectable()
class AgentObserver {
  constructor(
    @inject(observedAgent) private readonly observed: ObservedAgent,
    @inject(AgentSessions.token) private readonly sessions: AgentSessions,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async ready(): Promise<void> {
    this.lifetime.add(this.sessions.onSession((session) => this.#run(session)));
  }

  async #run(session: AgentSession): Promise<void> {
    const { observed } = this;
    let seen = new Set<string>();
    const look = (): void => {
      observed.heard();
      const now = Date.now();
      if (observed.keys !== undefined) observed.keys(keysOf(session));
      const assignments = session.assignments();
      for (const { id, status } of assignments) {
        if (!seen.has(id) && status.State === 'assigned') observed.assigned(id, now - Date.parse(status.Timestamp));
      }
      seen = new Set(assignments.map(({ id }) => id));
    };
    const release = session.onChange(look);
    look();
    await untilAborted(session.signal);
    release();
  }
}

/** Observes what the agent of a node receives, beside the agent. */
export const agentObserver = (observed: ObservedAgent) =>
  definePlugin({
    id: 'agent-observer',
    requires: [AgentSessions],
    configSchema: Type.Object({}),
    setup({ container }) {
      container.registerValue(observedAgent, observed);
      return AgentObserver; // one class for all nodes: the container keeps each class for ever
    },
  });

const keysOf = (session: AgentSession): readonly string[] =>
  session.networks().flatMap(({ id }) => (session.networkState(id)?.keys ?? []).map((key) => key.id));
