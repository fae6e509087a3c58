import type { LogRequest } from '@gantry/container-logs/service';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { invalidArgument, kindOf } from '@gantry/core/errors';
import { type Context, openBody, type Query, queryOf, type Router, statuses, streamType } from '@gantry/core/http';
import { frame, merge, writeAll } from '@gantry/core/streams';
import { EngineApi } from '@gantry/engine-api/service';
import { type ListedTask, TaskDirectory } from '@gantry/services/service';
import { operations } from './operations.js';
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
    this.lifetime.add(this.api.routes('node-agent', (router) => this.declare(router), operations));
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
    if (request.follow) ctx.state.endless();
    const raw = tasks.some(({ terminal }) => terminal);
    const body = openBody(ctx, { contentType: streamType(ctx, { raw }) });
    await writeAll(this.#readAll(known, request, raw), body, signal);
  }

  /** The logs of all tasks; at the end, which nodes did not send theirs. */
  async *#readAll(tasks: readonly ListedTask[], request: LogRequest, raw: boolean): AsyncGenerator<Uint8Array> {
    const missing = new Set<string>();
    // Each read listens to a signal of its own: a service may have any number of tasks.
    yield* merge(
      tasks.map((task) => this.#readOrMiss(task, { ...request, signal: AbortSignal.any([request.signal]) }, missing)),
    );
    if (missing.size === 0) return;
    const line = Buffer.from(incomplete([...missing]));
    yield raw ? line : frame('systemerr', line);
  }

  async *#readOrMiss(task: ListedTask, request: LogRequest, missing: Set<string>): AsyncGenerator<Uint8Array> {
    try {
      yield* this.logs.has(task) ? this.logs.read(task, request) : this.remote.read(task, request);
    } catch (error) {
      if (request.signal.aborted || kindOf(error) !== 'unavailable') throw error;
      missing.add(task.nodeId);
    }
  }
}

/** In the words that clients know. It comes last: they end at it. */
const incomplete = (nodeIds: readonly string[]): string =>
  'Error grabbing logs: rpc error: code = Unknown desc = warning: incomplete log stream. some logs could not be retrieved ' +
  `for the following reasons: ${nodeIds.map((id) => `node ${id} is not available`).join(', ')}\n`;

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
