import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { Context } from '@gantry/core/http';
import { type Account, HostedError } from '@gantry/hosted-api/service';
import type { RepositoryRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';

/** The parameters of routes below a repository. */
export interface RepositoryParams {
  readonly owner: string;
  readonly repo: string;
}

/** Finds the repository of a request, if the account may access it. */
@injectable()
export class RepositoryAccess {
  constructor(@inject(Repositories) private readonly repositories: Repositories) {}

  /** @throws `not-found` also for a repository the account may not read, so that its existence is not disclosed. */
  readable<P extends RepositoryParams>({ params }: Context<P>, account: Account): RepositoryRecord {
    const repository = this.repositories.find(params.owner, params.repo);
    if (repository === undefined || !this.repositories.mayRead(account, repository)) {
      throw notFound('no such repository');
    }
    return repository;
  }

  /** @throws `not-found`; HostedError 403 when the account may only read. */
  managed<P extends RepositoryParams>(ctx: Context<P>, account: Account): RepositoryRecord {
    const repository = this.readable(ctx, account);
    if (this.repositories.mayManage(account, repository)) return repository;
    throw new HostedError(403, `You may not manage ${repository.owner}/${repository.name}`);
  }
}
