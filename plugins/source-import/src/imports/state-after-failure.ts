import { SourceError } from '@gantry/core/contracts';
import { messageOf } from '@gantry/core/errors';
import type { WorkingStatus } from '../store/import-states.js';
import type { ImportState } from '../store/records.js';

/** The state of an import whose step failed. */
export function stateAfterFailure(step: WorkingStatus, error: unknown): ImportState {
  const isDenied = SourceError.is(error) && (error.failure === 'auth-needed' || error.failure === 'auth-failed');
  if (isDenied && step === 'detecting') return { status: 'detection_needs_auth', message: error.message };
  if (isDenied && step === 'importing') return { status: 'auth_failed', message: error.message };
  const message = SourceError.is(error) ? `${error.step}: ${error.message}` : messageOf(error);
  return { status: 'error', failedStep: step, message };
}

/** The state of an import whose credentials were lost in a restart. */
export function stateWithoutCredentials(step: WorkingStatus): ImportState {
  const message = 'the service was restarted and keeps no credentials: give them again';
  return { status: step === 'detecting' ? 'detection_needs_auth' : 'auth_failed', message };
}
