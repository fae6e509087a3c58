import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './fault.js';
import { createLarge, removeLarge } from './large-secrets.js';

/** More than the quota has room for. */
const most = 400;
/** How long it is tried, in milliseconds: beside another fault there may be no manager that takes changes. */
const limit = 60_000;

/**
 * Creates secrets until the store refuses the next one for its quota. It ends as the message says: by the removal of objects,
 * and then the store takes changes again.
 */
export const exhaustQuota: Fault = async ({ swarm: { managers }, violate }) => {
  let refusal = '';
  let asked = 0;
  let count = 0;
  for (const end = Date.now() + limit; refusal === '' && count < most && Date.now() < end; ) {
    try {
      await createLarge(managers[asked] ?? managers[0], `quota-${count}`);
      count += 1;
    } catch (error) {
      const { message } = error as Error;
      if (/has reached its quota: .*quotaBytes/.test(message)) refusal = message;
      asked = (asked + 1) % managers.length; // another fault may have cut this one off, or taken the leader
      await delay(100);
    }
  }
  if (count === most) violate(`${most} secrets were taken beyond the quota`);
  return () => removeLarge(managers);
};
