import { setTimeout as delay } from 'node:timers/promises';
import { NodeConnections, type NodeSession } from '@gantry/cluster/service';
import { inject, injectable, isRecord, Lifetime, Logger } from '@gantry/core/driver';
import { type LogMessage, logRequestsPath, logsPath, parseLogMessage, toLogRequest } from './log-messages.js';
import { TaskLogs } from './task-logs.js';

const retryDelay = 200;

/** Sends the logs of this node's tasks to the leader, which asks for them. */
@injectable()
export class LogSender {
  constructor(
    @inject(NodeConnections.token) private readonly connections: NodeConnections,
    @inject(TaskLogs) private readonly logs: TaskLogs,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Logger) private readonly log: Logger,
  ) {}

  start(): void {
    this.lifetime.add(this.connections.whileNode((session) => this.#serve(session)));
  }

  async #serve(session: NodeSession): Promise<void> {
    const { signal } = session;
    while (!signal.aborted) {
      try {
        for await (const message of session.stream(logRequestsPath, null, signal)) {
          if (isRecord(message) && message.id !== undefined) void this.#send(session, parseLogMessage(message));
        }
      } catch (err) {
        if (signal.aborted) return;
        this.log.debug({ event: 'agent.log-requests-interrupted', err }, 'the stream of log requests broke; resuming');
      }
      await delay(retryDelay, undefined, { signal, ref: false }).catch(() => undefined); // aborted: the loop ends
    }
  }

  async #send(session: NodeSession, { id, request, task }: LogMessage): Promise<void> {
    const end = new AbortController();
    const signal = AbortSignal.any([session.signal, end.signal]);
    try {
      await session.upload(logsPath, id, copies(this.logs.read(task, toLogRequest(request, signal))), signal);
    } catch (err) {
      if (session.signal.aborted) return;
      this.log.debug({ event: 'agent.log-not-sent', task: task.id, err }, 'the log of a task was not sent to its end');
    } finally {
      end.abort();
    }
  }
}

/** The bytes of a log are valid until the next ones are asked for, and a connection keeps them longer. */
async function* copies(log: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of log) yield Buffer.from(bytes);
}
