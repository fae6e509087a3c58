import { personJson } from '@gantry/hosted-api/service';
import type { ImportRecord, RepositoryRecord } from '../store/records.js';
import { importJson } from '../wire/import-json.js';
import { repositoryJson } from '../wire/repository-json.js';

/** What the whole import has come to, where one word is enough. */
const outcomes: Readonly<Record<string, string>> = {
  complete: 'success',
  cancelled: 'cancelled',
  error: 'failure',
  detection_found_nothing: 'failure',
  detection_found_multiple: 'waiting',
  detection_needs_auth: 'waiting',
  auth_failed: 'waiting',
};

export interface ImportEvent {
  readonly record: ImportRecord;
  /** The import's new one, or `cancelled`. */
  readonly status: string;
  readonly repository: RepositoryRecord;
  /** Whoever started the import. */
  readonly sender: { readonly id: number; readonly login: string };
}

/** `RepositoryImportEvent`. */
export const importEvent = ({ record, status, repository, sender }: ImportEvent) => ({
  action: status,
  status: outcomes[status] ?? 'in_progress',
  import: {
    ...importJson(record, { repository, baseUrl: record.baseUrl, progress: { percent: 0 }, isWaiting: false }),
    status,
  },
  repository: repositoryJson(repository, record.baseUrl),
  sender: personJson(sender, record.baseUrl),
});
