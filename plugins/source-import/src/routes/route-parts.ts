import { notFound } from '@gantry/core/errors';
import type { Context } from '@gantry/core/http';
import { type Account, type HostedApi, HostedError } from '@gantry/hosted-api/service';
import type { SourceImportConfig } from '../config.js';
import type { Directories } from '../runs/directories.js';
import type { Imports } from '../runs/imports.js';
import type { ProgressBoard } from '../runs/progress.js';
import type { Runs } from '../runs/runs.js';
import type { ImportStore } from '../store/import-store.js';
import type { ImportRecord, RepositoryRecord } from '../store/records.js';
import type { Repositories } from '../store/repositories.js';
import { importJson } from '../wire/import-json.js';

/** What the routes of this plugin work with. */
export interface RouteParts {
  readonly api: HostedApi;
  readonly config: () => SourceImportConfig;
  readonly repositories: Repositories;
  readonly store: ImportStore;
  readonly imports: Imports;
  readonly runs: Runs;
  readonly progress: ProgressBoard;
  readonly directories: Directories;
  readonly isClosed: () => boolean;
}

interface NamedRepository {
  readonly owner: string;
  readonly repo: string;
}

/** A repository the account may read. Those it may not and those that are not there are not told apart. */
export function readableRepository<P extends NamedRepository>(
  ctx: Context<P>,
  { repositories }: Pick<RouteParts, 'repositories'>,
  account: Account,
): RepositoryRecord {
  const repository = repositories.find(ctx.params.owner, ctx.params.repo);
  if (repository === undefined || !repositories.mayRead(account, repository)) throw notFound('no such repository');
  return repository;
}

/** A repository the account may import into. @throws `not-found`; HostedError 403 where it may only read. */
export function managedRepository<P extends NamedRepository>(
  ctx: Context<P>,
  parts: Pick<RouteParts, 'repositories'>,
  account: Account,
): RepositoryRecord {
  const repository = readableRepository(ctx, parts, account);
  if (parts.repositories.mayManage(account, repository)) return repository;
  throw new HostedError(403, `You may not manage ${repository.owner}/${repository.name}`);
}

/** The same for everything about imports. @throws HostedError 503 during maintenance. */
export function importTarget<P extends NamedRepository>(
  ctx: Context<P>,
  parts: RouteParts,
  account: Account,
): RepositoryRecord {
  if (parts.isClosed()) {
    ctx.res.setHeader('Retry-After', 300);
    throw new HostedError(503, 'The import service is under maintenance: try again later');
  }
  return managedRepository(ctx, parts, account);
}

/** The import into a repository. @throws `not-found` when there is none. */
export function importOf<P extends NamedRepository>(ctx: Context<P>, parts: RouteParts, account: Account) {
  const repository = importTarget(ctx, parts, account);
  const record = parts.store.into(repository.id);
  if (record === undefined) throw notFound('no import');
  return { repository, record };
}

/** An import as its client sees it now. */
export const shownImport = <P>(
  ctx: Context<P>,
  { api, progress, runs }: RouteParts,
  repository: RepositoryRecord,
  record: ImportRecord,
) =>
  importJson(record, {
    repository,
    baseUrl: api.baseUrl(ctx),
    progress: progress.of(record.id),
    isWaiting: runs.isWaiting(record.id),
  });
