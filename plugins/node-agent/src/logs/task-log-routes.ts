import type { LogRequest } from '@gantry/container-logs/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument, unavailable } from '@gantry/core/errors';
import { type Context, openBody, type Query, queryOf, type Router, statuses, streamType } from '@gantry/core/http';
import { merge, writeAll } from '@gantry/core/streams';
import { EngineApi } from '@gantry/engine-api/service';
import { type ListedTask, TaskDirectory } from '@gantry/services/service';
import { RemoteLogs } from './remote-logs.js';
import { TaskLogs } from './task-logs.js';

/** Spec: GET /services/(id)/logs and /tasks/(id)/logs. */
@injectable()
export class TaskLogRoutes {
  constructor(
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(TaskDirectory.token) private readonly tasks: TaskDirectory,
    @inject(TaskLogs) private readonly logs: TaskLogs,
    @inject(RemoteLogs) private readonly remote: RemoteLogs,
  ) {}

  start(): void {
    this.lifetime.add(this.api.routes('node-agent', (router) => this.declare(router)));
  }

  declare(router: Router): void {
    router.get('/services/:id/logs', statuses.unavailableIsServerError, (ctx) =>
      this.#send(ctx, 'service', ctx.params.id),
    );
    router.get('/tasks/:id/logs', statuses.unavailableIsServerError, (ctx) => this.#send(ctx, 'task', ctx.params.id));
  }

  async #send(ctx: Context, kind: 'service' | 'task', reference: string): Promise<void> {
    const { signal } = ctx.state;
    const request = parseLogs(queryOf(ctx), signal);
    const tasks = await this.tasks.tasksOf(kind, reference);
    const known = tasks.filter((task) => this.logs.has(task) || task.containerId !== undefined);
    const lost = known.find((task) => !this.logs.has(task) && !this.remote.canRead(task));
    if (lost !== undefined && kind === 'task') {
      throw unavailable(`node ${lost.nodeId}, which has the log of task ${lost.id}, is not connected`);
    }
    if (request.follow) ctx.state.endless();
    const body = openBody(ctx, { contentType: streamType(ctx, { raw: tasks.some(({ terminal }) => terminal) }) });
    const readable = known.filter((task) => this.logs.has(task) || this.remote.canRead(task));
    // Each read listens to a signal of its own: a service may have any number of tasks.
    const logs = readable.map((task) => this.#read(task, { ...request, signal: AbortSignal.any([signal]) }));
    await writeAll(merge(logs), body, signal);
  }

  #read(task: ListedTask, request: LogRequest): AsyncIterable<Uint8Array> {
    return this.logs.has(task) ? this.logs.read(task, request) : this.remote.read(task, request);
  }
}

function parseLogs(query: Query, signal: AbortSignal): LogRequest {
  const [stdout, stderr] = [query.boolean('stdout'), query.boolean('stderr')];
  if (!stdout && !stderr) throw invalidArgument('Bad parameters: you must choose at least one stream');
  const since = query.timestamp('since');
  const tail = query.string('tail') ?? 'all';
  if (!/^\d+$|^(all)?$/.test(tail)) throw invalidArgument('tail value must be a positive integer or "all"');
  return {
    stdout,
    stderr,
    follow: query.boolean('follow'),
    timestamps: query.boolean('timestamps'),
    details: query.boolean('details'),
    signal,
    ...(since !== undefined && since !== 0n && { since }),
    ...(/^\d+$/.test(tail) && { tail: Number(tail) }),
  };
}
