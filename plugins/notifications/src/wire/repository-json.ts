import { personJson } from '@gantry/hosted-api/service';
import type { RepositoryRecord } from '../store/records.js';

/** The URL templates of a repository, relative to its URL. */
const templates = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
  hooks_url: '/hooks',
} as const;

/** The URL of a repository in this service's API. */
export const repositoryUrl = ({ owner, name }: RepositoryRecord, baseUrl: string): string =>
  `${baseUrl}/repos/${owner}/${name}`;

/** The repository object as threads embed it. Spec: Notification thread. */
export function repositoryJson(record: RepositoryRecord, baseUrl: string) {
  const own = repositoryUrl(record, baseUrl);
  const sourceUrl = record.url ?? own;
  // Notifications and watches are this service's; the rest is the source's.
  const local = new Set(['notifications_url', 'subscription_url']);
  const htmlUrl = record.htmlUrl ?? `${baseUrl}/${record.owner}/${record.name}`;
  const { hostname } = new URL(htmlUrl);
  const id = record.shownId ?? record.id;
  return {
    id,
    node_id: Buffer.from(`Repository:${id}`).toString('base64'),
    name: record.name,
    full_name: `${record.owner}/${record.name}`,
    owner: personJson(ownerOf(record), baseUrl),
    private: record.private,
    html_url: htmlUrl,
    description: record.description ?? null,
    fork: record.fork ?? false,
    url: sourceUrl,
    ...Object.fromEntries(
      Object.entries(templates).map(([name, rest]) => [name, `${local.has(name) ? own : sourceUrl}${rest}`]),
    ),
    git_url: record.gitUrl ?? `git://${hostname}/${record.owner}/${record.name}.git`,
    ssh_url: record.sshUrl ?? `git@${hostname}:${record.owner}/${record.name}.git`,
  };
}

const ownerOf = (record: RepositoryRecord) => ({
  login: record.owner,
  id: record.ownerId ?? record.id,
  type: record.ownerType ?? 'User',
  ...(record.avatarUrl !== undefined && { avatarUrl: record.avatarUrl }),
  ...(record.htmlUrl !== undefined && { htmlUrl: record.htmlUrl.replace(/\/[^/]*$/, '') }),
});
