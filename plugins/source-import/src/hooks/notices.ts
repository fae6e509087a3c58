import type { Activity, Notifications } from '@gantry/notifications/service';
import type { ImportEvent } from './payload.js';

/** What the inbox says of an import that has ended, or that waits for its user. */
const titles: Readonly<Record<string, string>> = {
  complete: 'is complete',
  error: 'failed',
  detection_found_nothing: 'found no repository',
  detection_found_multiple: 'found several projects: choose one',
  detection_needs_auth: 'needs credentials',
  auth_failed: 'needs other credentials',
};

/** A thread for whoever started the import; undefined for steps that nobody has to know of. */
export function noticeOf({ record, status, repository, sender }: ImportEvent): Activity | undefined {
  const words = titles[status];
  if (words === undefined) return undefined;
  const { owner, name } = repository;
  const htmlUrl = `${record.baseUrl}/imports#${owner}/${name}`;
  const url = `${record.baseUrl}/repos/${owner}/${name}/import`;
  return {
    repository: { owner, name, private: repository.private },
    subject: {
      key: 'import',
      type: 'RepositoryImport',
      title: `The import of ${owner}/${name} ${words}`,
      url,
      htmlUrl,
    },
    concerns: [{ login: sender.login, reason: 'author' }],
  };
}

export type Publish = Notifications['publish'];
