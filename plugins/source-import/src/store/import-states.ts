import type { ImportState, ImportStatus } from './records.js';

/** The statuses in which an import works; in all others it waits for its user. */
const workingStatuses = ['detecting', 'importing', 'mapping', 'pushing'] as const satisfies ImportStatus[];
export type WorkingStatus = (typeof workingStatuses)[number];

export const isWorking = (status: ImportStatus): status is WorkingStatus =>
  workingStatuses.some((each) => each === status);

/** Spec: Import `status` values and transitions. A cancelled import is deleted, from any state. */
const next: Readonly<Record<ImportStatus, readonly ImportStatus[]>> = {
  detecting: [
    'importing',
    'detection_found_nothing',
    'detection_found_multiple',
    'detection_needs_auth',
    'error',
    'detecting',
  ],
  importing: ['mapping', 'auth_failed', 'detection_found_multiple', 'error', 'detecting'],
  mapping: ['pushing', 'error', 'detecting'],
  // Back to `mapping` when authors were mapped during the push.
  pushing: ['complete', 'mapping', 'error', 'detecting'],
  complete: ['mapping', 'detecting'],
  error: ['mapping', 'detecting'],
  auth_failed: ['detecting'],
  detection_needs_auth: ['detecting'],
  detection_found_nothing: ['detecting'],
  detection_found_multiple: ['detecting'],
};

export const mayFollow = (before: ImportStatus, after: ImportStatus): boolean => next[before].includes(after);

/** `status_text`, for people. */
export function statusText(state: ImportState, isWaiting: boolean): string {
  if (isWaiting) return 'Waiting for other imports to finish...';
  switch (state.status) {
    case 'detecting':
      return 'Detecting...';
    case 'importing':
      return 'Importing...';
    case 'mapping':
      return 'Rewriting commits...';
    case 'pushing':
      return 'Pushing...';
    case 'complete':
      return 'Done';
    case 'error':
      return 'The import failed';
    case 'auth_failed':
      return 'The source refused the credentials';
    case 'detection_needs_auth':
      return 'The source needs credentials';
    case 'detection_found_nothing':
      return 'No repository was found at the address';
    case 'detection_found_multiple':
      return 'There are several projects: choose one';
  }
}
