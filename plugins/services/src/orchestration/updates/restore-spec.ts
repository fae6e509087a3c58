import type { PreviousService, ServiceRecord } from '../../records/service-record.js';
import type { Moment } from '../moment.js';

/** The service with its previous specification, which is rolled out next as a rollback. */
export function restoreSpec(
  service: ServiceRecord,
  previous: PreviousService,
  now: Moment,
  message: string,
): ServiceRecord {
  const { Credentials: _credentials, Previous: _previous, Rollout: _rollout, ...rest } = service;
  return {
    ...rest,
    ...previous,
    UpdateStatus: { State: 'rollback_started', StartedAt: now.text, Message: message },
  };
}
