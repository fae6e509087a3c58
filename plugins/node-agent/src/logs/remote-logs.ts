import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type AnsweredRequest, NodeConnections } from '@gantry/cluster/service';
import type { LogRequest } from '@gantry/container-logs/service';
import { inject, injectable, Lifetime, withDeadline } from '@gantry/core/driver';
import { notFound, unavailable } from '@gantry/core/errors';
import type { ListedTask } from '@gantry/services/service';
import { type LogMessage, logRequestsPath, logsPath, toLogOptions } from './log-messages.js';

/** How long a node may take to begin to send a log, in milliseconds. */
const beginLimit = 10_000;

/** Hands a log that has arrived to the request that waits for it; resolves when it was read to its end. */
type Receive = (bytes: Readable) => Promise<void>;

/** Reads the logs of tasks on other nodes: the leader asks a node over the stream that the node keeps open. */
@injectable()
export class RemoteLogs {
  readonly #nodes = new Map<string, (message: LogMessage) => void>();
  readonly #waiting = new Map<string, { readonly nodeId: string; readonly receive: Receive }>();

  constructor(
    @inject(NodeConnections.token) private readonly connections: NodeConnections,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  start(): void {
    this.lifetime.add(this.connections.answerStream(logRequestsPath, (request) => this.#requests(request)));
    this.lifetime.add(this.connections.answerUpload(logsPath, (request, bytes) => this.#receive(request, bytes)));
  }

  /** Throws `unavailable` when the node is not connected, or does not send. */
  async *read(task: ListedTask, request: LogRequest): AsyncGenerator<Uint8Array> {
    const ask = this.#nodes.get(task.nodeId);
    if (ask === undefined)
      throw unavailable(`node ${task.nodeId}, which has the log of task ${task.id}, is not connected`);
    const id = randomUUID();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    try {
      const error = `node ${task.nodeId} did not send the log of task ${task.id} in time`;
      const bytes = await withDeadline({ milliseconds: beginLimit, error, signal: request.signal }, () => {
        const arrived = new Promise<Readable>((resolve) => {
          const receive = (body: Readable): Promise<void> => {
            resolve(body);
            return ended;
          };
          this.#waiting.set(id, { nodeId: task.nodeId, receive });
        });
        ask({ id, task, request: toLogOptions(request) });
        return arrived;
      });
      yield* bytes;
    } catch (cause) {
      if (request.signal.aborted) throw cause;
      throw unavailable(`node ${task.nodeId} did not send the log of task ${task.id} to its end`, { cause });
    } finally {
      this.#waiting.delete(id);
      end();
    }
  }

  async *#requests({ nodeId, signal }: AnsweredRequest): AsyncGenerator<LogMessage | object> {
    const queue: LogMessage[] = [];
    let notify = (): void => undefined;
    const ask = (message: LogMessage): void => {
      queue.push(message);
      notify();
    };
    this.#nodes.set(nodeId, ask);
    signal.addEventListener('abort', () => notify(), { once: true });
    try {
      yield {}; // the stream stands
      while (!signal.aborted) {
        yield* queue.splice(0);
        if (queue.length > 0 || signal.aborted) continue;
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
      }
    } finally {
      if (this.#nodes.get(nodeId) === ask) this.#nodes.delete(nodeId);
    }
  }

  /** Only from the node that was asked. */
  async #receive({ body, nodeId, signal }: AnsweredRequest, bytes: Readable): Promise<void> {
    const waiting = this.#waiting.get(String(body));
    if (waiting?.nodeId !== nodeId) throw notFound('nothing waits for this log');
    await Promise.race([waiting.receive(bytes), signal.aborted ? undefined : once(signal, 'abort')]);
  }
}
