import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import { validationFailed } from '@gantry/hosted-api/service';
import { HostedRepositories } from '../storage/hosted-repositories.js';
import type { RepositoryRecord } from '../store/records.js';
import { Repositories } from '../store/repositories.js';

/** Checks whether a repository can be imported into. */
@injectable()
export class CheckTarget {
  constructor(
    @inject(Repositories) private readonly repositories: Repositories,
    @inject(HostedRepositories) private readonly hosted: HostedRepositories,
  ) {}

  /** @throws `not-found` when the repository is gone; HostedError 422 when it has workflows. */
  async check({ id, owner, name, workflows }: RepositoryRecord): Promise<void> {
    if (this.repositories.withId(id) === undefined) throw notFound('no such repository');
    if (!workflows && !(await this.hosted.hasWorkflows(id))) return;
    const message = `${owner}/${name} has workflows enabled: nothing is imported into it`;
    throw validationFailed({ resource: 'Repository', field: 'workflows', code: 'unprocessable', message });
  }
}
