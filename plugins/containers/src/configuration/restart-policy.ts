import { invalidArgument } from '@gantry/core/errors';
import type { RestartPolicy } from '../schema.js';

/** @throws EngineError `invalid-argument`. */
export function checkRestartPolicy({ Name: name = '', MaximumRetryCount: count = 0 }: RestartPolicy = {}): void {
  switch (name) {
    case '':
    case 'no':
    case 'always':
    case 'unless-stopped':
      if (count !== 0) throw invalidArgument(`maximum retry count cannot be used with restart policy '${name}'`);
      return;
    case 'on-failure':
      if (count < 0) throw invalidArgument(`maximum retry count cannot be negative: ${count}`);
      return;
    default:
      throw invalidArgument(`invalid restart policy '${name}'`);
  }
}

/** Whether the policy never restarts. */
export const isNoPolicy = ({ Name = '' }: RestartPolicy = {}): boolean => Name === '' || Name === 'no';

/** A container that is removed at its exit cannot be restarted. */
export function checkAutoRemove(autoRemove: boolean | undefined, policy: RestartPolicy | undefined): void {
  if (autoRemove === true && !isNoPolicy(policy)) {
    throw invalidArgument("can't create 'AutoRemove' container with restart policy");
  }
}
