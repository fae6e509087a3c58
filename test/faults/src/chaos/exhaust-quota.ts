import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './fault.js';
import { createLarge, removeLarge } from './large-secrets.js';

/** More than the quota has room for. */
const most = 400;
/** Changes that fail one after the other for another reason than the quota. */
const mostFailures = 60;

/**
 * Creates secrets until the store refuses the next one for its quota. It ends as the message says: by the removal of objects,
 * and then the store takes changes again.
 */
export const exhaustQuota: Fault = async ({ swarm: { managers }, violate }) => {
  let failures = 0;
  let refusal = '';
  let asked = 0;
  for (let count = 0; refusal === '' && count < most && failures < mostFailures; count++) {
    try {
      await createLarge(managers[asked] ?? managers[0], `quota-${count}`);
      failures = 0;
    } catch (error) {
      const { message } = error as Error;
      if (/has reached its quota: .*quotaBytes/.test(message)) refusal = message;
      failures += 1;
      asked = (asked + 1) % managers.length; // another fault may have cut this one off, or taken the leader
      await delay(100);
    }
  }
  if (refusal === '' && failures < mostFailures) violate(`${most} secrets were taken beyond the quota`);
  return () => removeLarge(managers);
};
