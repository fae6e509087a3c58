import { type AnsweredRequest, NodeConnections } from '@gantry/cluster/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { RegistryCredentials } from '@gantry/engine-api/service';
import type { AssignedTask } from '../service.js';
import { taskOf, tasksOf } from './assigned-tasks.js';
import { AssignmentFeed } from './assignment-feed.js';
import {
  type AssignmentMessage,
  assignmentsPath,
  credentialsPath,
  filesPath,
  parseReports,
  reportPath,
  toFileMessage,
} from './assignment-messages.js';
import { ReportStates } from './report-states.js';
import { TaskCredentials } from './task-credentials.js';
import { TaskFiles } from './task-files.js';

/** Answers the agents of other nodes. A node is only given what its own tasks need. */
@injectable()
export class AgentRequests {
  constructor(
    @inject(NodeConnections.token) private readonly connections: NodeConnections,
    @inject(AssignmentFeed) private readonly feed: AssignmentFeed,
    @inject(ReportStates) private readonly reports: ReportStates,
    @inject(TaskFiles) private readonly files: TaskFiles,
    @inject(TaskCredentials) private readonly credentials: TaskCredentials,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    const { connections, lifetime } = this;
    lifetime.add(connections.answerStream(assignmentsPath, (request) => this.#assignments(request)));
    lifetime.add(connections.answer(reportPath, (request) => this.#report(request)));
    lifetime.add(connections.answer(filesPath, (request) => this.#files(request)));
    lifetime.add(connections.answer(credentialsPath, async (request) => this.#credentials(request)));
  }

  async *#assignments({ nodeId, session: { store }, signal }: AnsweredRequest): AsyncGenerator<AssignmentMessage> {
    const changes = this.feed.open(nodeId, signal); // before the list is read, so that nothing is missed in between
    yield { isComplete: true, tasks: tasksOf(store, nodeId), removed: [] };
    while (!signal.aborted) {
      const ids = await changes.take();
      const tasks = ids.flatMap((id) => taskOf(store, nodeId, id) ?? []);
      const present = new Set(tasks.map(({ id }) => id));
      const removed = ids.filter((id) => !present.has(id));
      if (ids.length > 0) yield { isComplete: false, tasks, removed };
    }
  }

  async #report({ body, nodeId, session }: AnsweredRequest): Promise<void> {
    await this.reports.report(session.store, nodeId, parseReports(body));
  }

  async #files(request: AnsweredRequest) {
    return (await this.files.filesOf(request.session, request.nodeId, ownTask(request))).map(toFileMessage);
  }

  #credentials(request: AnsweredRequest): RegistryCredentials | undefined {
    return this.credentials.of(request.session, ownTask(request));
  }
}

/** The task whose id was sent. @throws EngineError `not-found` unless it is one of the node that asks. */
function ownTask({ body, nodeId, session }: AnsweredRequest): AssignedTask {
  const task = taskOf(session.store, nodeId, String(body));
  if (task === undefined) throw notFound(`task ${String(body)} is not one of node ${nodeId}`);
  return task;
}
