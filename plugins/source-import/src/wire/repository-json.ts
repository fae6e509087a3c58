import { isoSecond, personJson } from '@gantry/hosted-api/service';
import type { RepositoryRecord } from '../store/records.js';

/** The address of a repository in the API. */
export const repositoryUrl = ({ owner, name }: RepositoryRecord, baseUrl: string): string =>
  `${baseUrl}/repos/${owner}/${name}`;

/** A repository of this service as clients see it. */
export function repositoryJson(record: RepositoryRecord, baseUrl: string) {
  const { id, owner, name } = record;
  const moment = isoSecond(record.createdAt);
  const pushed = record.pushedAt === undefined ? null : isoSecond(record.pushedAt);
  const htmlUrl = `${baseUrl}/${owner}/${name}`;
  return {
    id,
    node_id: Buffer.from(`HostedRepository:${id}`).toString('base64'),
    name,
    full_name: `${owner}/${name}`,
    owner: personJson({ id, login: owner }, baseUrl),
    private: record.private,
    visibility: record.private ? 'private' : 'public',
    html_url: htmlUrl,
    description: record.description ?? null,
    fork: false,
    url: repositoryUrl(record, baseUrl),
    clone_url: `${htmlUrl}.git`,
    has_workflows: record.workflows,
    created_at: moment,
    updated_at: pushed ?? moment,
    pushed_at: pushed,
  };
}
