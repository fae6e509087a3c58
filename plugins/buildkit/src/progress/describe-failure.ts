import { BuildFileError, StepFailed } from '@gantry/build/service';
import { messageOf } from '@gantry/core/errors';

/** The message that BuildKit's clients expect. */
export function describeFailure(error: unknown): string {
  if (error instanceof BuildFileError) {
    return error.line === undefined ? error.reason : `dockerfile parse error on line ${error.line}: ${error.reason}`;
  }
  if (!(error instanceof StepFailed)) return messageOf(error);
  return `process ${JSON.stringify(error.command.join(' '))} did not complete successfully: exit code: ${error.code}`;
}
