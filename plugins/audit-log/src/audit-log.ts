import { randomUUID } from 'node:crypto';
import { Config, type DriverLifecycle, inject, injectable, isRecord, Lifetime } from '@gantry/core/driver';
import type { Context } from '@gantry/core/http';
import { EngineApi } from '@gantry/engine-api/service';
import { AuditFile } from './audit-file.js';
import { AuditJournal } from './audit-journal.js';
import { ClientIdentity } from './client-identity.js';
import type { AuditConfig } from './config.js';

const reading = ['GET', 'HEAD', 'OPTIONS'];

/** Parameters of the query that name what a request is about; others may hold secrets, such as build arguments. */
const targetParameters = ['name', 'fromImage', 'remote', 'repo', 'tag', 't', 'container', 'path', 'signal', 'force'];

/**
 * Records every request that changes something, before its answer leaves. A stream or a hijacked connection has one
 * record when it begins and one when it ends. While the log cannot be written, no such request is served.
 */
@injectable()
export class AuditLog implements DriverLifecycle {
  constructor(
    @inject(Config) private readonly config: AuditConfig,
    @inject(EngineApi.token) private readonly api: EngineApi,
    @inject(AuditFile) private readonly file: AuditFile,
    @inject(AuditJournal) private readonly journal: AuditJournal,
    @inject(ClientIdentity) private readonly identity: ClientIdentity,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    await this.file.check();
    this.lifetime.add(() => this.file.close());
    this.journal.open();
    this.lifetime.add(this.api.use('audit', (ctx, next) => this.#record(ctx, next)));
  }

  async #record(ctx: Context, next: () => Promise<void>): Promise<void> {
    if (!this.config.reads && reading.includes(ctx.method)) return next();
    await this.file.check();
    const began = performance.now();
    const request = {
      id: randomUUID(),
      client: this.identity.of(ctx.state.connection.socket),
      method: ctx.method,
      path: ctx.originalUrl.split('?')[0],
    };
    const record = async (outcome: Outcome & { readonly milliseconds?: number }): Promise<void> => {
      const facts = { ...request, route: routeOf(ctx), target: targetOf(ctx), ...outcome };
      await this.file.append({ time: new Date().toISOString(), ...facts });
      // Never rejects, and no client waits for it.
      void this.journal.send(facts);
    };
    let streaming: Promise<void> | undefined;
    ctx.state.onHead(() => {
      // An answer in one piece leaves after its record.
      if (ctx.respond !== false) return;
      streaming = record({ outcome: 'streaming' });
      // Awaited below, when the stream has ended.
      streaming.catch(() => undefined);
    });
    await next();
    await streaming;
    await record({ ...outcomeOf(ctx), milliseconds: Math.round(performance.now() - began) });
  }
}

const routeOf = ({ state: { route } }: Context): string | null =>
  route === undefined ? null : `${route.method} ${route.path}`;

/** What the path and the query name, and what was created. */
function targetOf(ctx: Context): Readonly<Record<string, string | undefined>> {
  const query = new URLSearchParams(ctx.originalUrl.split('?')[1]);
  const named = targetParameters.flatMap((name) => (query.has(name) ? [[name, query.getAll(name).join(',')]] : []));
  const { answer } = ctx.state;
  const created = ctx.status === 201 && isRecord(answer) ? (answer.Id ?? answer.Name) : undefined;
  return {
    ...Object.fromEntries(named),
    ...ctx.params,
    ...(typeof created === 'string' && { created }),
  };
}

type Outcome =
  | { readonly outcome: 'streaming' | 'aborted' }
  | { readonly outcome: 'done'; readonly status: number }
  | { readonly outcome: 'failed' | 'refused'; readonly status: number; readonly message: string };

function outcomeOf(ctx: Context): Outcome {
  const { state, status } = ctx;
  const { answer } = state;
  if (state.aborted !== undefined) return { outcome: 'aborted' };
  if (ctx.respond === false || status < 400) return { outcome: 'done', status: ctx.res.statusCode };
  const message = isRecord(answer) && typeof answer.message === 'string' ? answer.message : '';
  return { outcome: status >= 500 ? 'failed' : 'refused', status, message };
}
