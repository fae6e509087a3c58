import type { Activity } from '@gantry/notifications/service';
import type { ImportEvent } from './import-event.js';

/** Ends of thread titles, for imports that ended or wait for their user. */
const titles: Readonly<Record<string, string>> = {
  complete: 'is complete',
  error: 'failed',
  detection_found_nothing: 'found no repository',
  detection_found_multiple: 'found several projects: choose one',
  detection_needs_auth: 'needs credentials',
  auth_failed: 'needs other credentials',
};

/** A thread for the user who started the import; undefined for intermediate steps. */
export function toActivity({ record, status, repository, sender }: ImportEvent): Activity | undefined {
  const title = titles[status];
  if (title === undefined) return undefined;
  const { owner, name } = repository;
  return {
    repository: { owner, name, private: repository.private },
    subject: {
      key: 'import',
      type: 'RepositoryImport',
      title: `The import of ${owner}/${name} ${title}`,
      url: `${record.baseUrl}/repos/${owner}/${name}/import`,
      htmlUrl: `${record.baseUrl}/imports#${owner}/${name}`,
    },
    concerns: [{ login: sender.login, reason: 'author' }],
  };
}
