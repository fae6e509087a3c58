import type { LargeFile } from '@gantry/lib-source';
import { statusText } from '../store/import-states.js';
import type { Progress } from '../store/progress-board.js';
import type { AuthorRecord, ImportRecord, ImportState, ProjectChoice, RepositoryRecord } from '../store/records.js';
import type { ProjectFields } from './project-fields.js';
import { repositoryUrl } from './repository-json.js';

interface ImportView {
  readonly fields: ProjectFields;
  readonly repository: RepositoryRecord;
  readonly baseUrl: string;
  readonly progress: Progress;
  /** Whether it waits for other imports to finish. */
  readonly isWaiting: boolean;
}

/** Spec: Import has sizes in gigabytes, of 10^9 bytes. */
const gigabyte = 10 ** 9;

/** The fields of one status. Spec: Import, States and transitions. */
function stateFields(state: ImportState, { percent, commitCount = 0 }: Progress, fields: ProjectFields) {
  switch (state.status) {
    case 'importing':
      return { percent, import_percent: percent, commit_count: commitCount };
    case 'pushing':
      return { push_percent: percent };
    case 'error':
      return { failed_step: state.failedStep, error_message: state.message };
    case 'detection_found_multiple':
      return { project_choices: state.choices.map((choice) => choiceJson(choice, fields)) };
    case 'auth_failed':
    case 'detection_needs_auth':
    case 'detection_found_nothing':
      return { message: state.message };
    default:
      return {};
  }
}

/** A project, which a client sends back to choose it. */
const choiceJson = ({ vcs, project, humanName }: ProjectChoice, fields: ProjectFields) => ({
  vcs,
  [fields.fieldOf(vcs)]: project,
  human_name: humanName,
});

export type ImportJson = ReturnType<typeof importJson>;

/** Spec: Import. */
export function importJson(record: ImportRecord, { fields, repository, baseUrl, progress, isWaiting }: ImportView) {
  const { state, largeFiles, vcs, project } = record;
  const repositoryAddress = repositoryUrl(repository, baseUrl);
  return {
    vcs: vcs ?? null,
    vcs_url: record.url,
    ...(project !== undefined && { [fields.fieldOf(vcs)]: project }),
    use_lfs: record.useLfs,
    status: state.status,
    status_text: statusText(state, isWaiting),
    has_large_files: largeFiles.count > 0,
    large_files_size: Number((largeFiles.bytes / gigabyte).toFixed(6)),
    large_files_count: largeFiles.count,
    authors_count: record.authorsCount,
    ...stateFields(state, progress, fields),
    url: `${repositoryAddress}/import`,
    html_url: `${baseUrl}/imports#${repository.owner}/${repository.name}`,
    authors_url: `${repositoryAddress}/import/authors`,
    repository_url: repositoryAddress,
  };
}

/** Spec: Commit author. */
export function authorJson(author: AuthorRecord, repository: RepositoryRecord, baseUrl: string) {
  const importUrl = `${repositoryUrl(repository, baseUrl)}/import`;
  return {
    id: author.id,
    remote_id: author.remoteId,
    remote_name: author.remoteName,
    email: author.email,
    name: author.name,
    url: `${importUrl}/authors/${author.id}`,
    import_url: importUrl,
  };
}

/** Spec: Large file entry. */
export const largeFileJson = ({ refName, path, oid, size }: LargeFile) => ({ ref_name: refName, path, oid, size });
