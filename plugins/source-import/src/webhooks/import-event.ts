import { personJson } from '@gantry/hosted-api/service';
import type { ImportRecord, RepositoryRecord } from '../store/records.js';
import { importJson } from '../wire/import-json.js';
import type { ProjectFields } from '../wire/project-fields.js';
import { repositoryJson } from '../wire/repository-json.js';

export interface ImportEvent {
  readonly record: ImportRecord;
  /** The status of the new state, or `cancelled`. */
  readonly status: string;
  readonly repository: RepositoryRecord;
  /** The account that started the import. */
  readonly sender: { readonly id: number; readonly login: string };
}

/** `status` of the payload; otherwise `in_progress`. */
const outcomes: Readonly<Record<string, string>> = {
  complete: 'success',
  cancelled: 'cancelled',
  error: 'failure',
  detection_found_nothing: 'failure',
  detection_found_multiple: 'waiting',
  detection_needs_auth: 'waiting',
  auth_failed: 'waiting',
};

/** `RepositoryImportEvent`. */
export const toWebhookPayload = ({ record, status, repository, sender }: ImportEvent, fields: ProjectFields) => ({
  action: status,
  status: outcomes[status] ?? 'in_progress',
  import: {
    ...importJson(record, { fields, repository, baseUrl: record.baseUrl, progress: { percent: 0 }, isWaiting: false }),
    status,
  },
  repository: repositoryJson(repository, record.baseUrl),
  sender: personJson(sender, record.baseUrl),
});
