import { definePlugin, inject, injectable, Lifetime } from '@gantry/core/plugin';
import { type AgentSession, AgentSessions, compareStates, isFinal, type TaskReport } from '@gantry/services/service';
import { Type } from '@sinclair/typebox';

/** Stands in for the agent of a node: its tasks run, and stop, as soon as they are asked to. */
@injectable()
class TaskAgent {
  constructor(
    @inject(AgentSessions.token) private readonly sessions: AgentSessions,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async ready(): Promise<void> {
    this.lifetime.add(this.sessions.onSession((session) => this.#run(session)));
  }

  async #run(session: AgentSession): Promise<void> {
    let wake = (): void => undefined;
    let isChanged = true;
    const notify = (): void => {
      isChanged = true;
      wake();
    };
    session.signal.addEventListener('abort', notify, { once: true });
    const release = session.onChange(notify);
    while (!session.signal.aborted) {
      if (isChanged) {
        isChanged = false;
        await session.report(reportsOf(session)).catch(() => undefined); // the session has ended
        await new Promise((resolve) => setTimeout(resolve, 25)); // as agents collect what they report
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    release();
  }
}

const reportsOf = (session: AgentSession): readonly TaskReport[] =>
  session.assignments().flatMap(({ desiredState, id, status }) => {
    if (isFinal(status.State)) return [];
    const State = compareStates(desiredState, 'running') > 0 ? 'shutdown' : desiredState;
    if (compareStates(State, status.State) <= 0) return [];
    const ContainerStatus = { ContainerID: id.padEnd(64, '0'), PID: 1, ExitCode: 0 };
    return [
      { taskId: id, status: { Timestamp: new Date().toISOString(), State, Message: 'simulated', ContainerStatus } },
    ];
  });

export const taskAgent = definePlugin({
  id: 'task-agent',
  requires: [AgentSessions],
  configSchema: Type.Object({}),
  setup: () => TaskAgent,
});
