import { invalidArgument } from '@gantry/core/errors';
import { ulimitNames } from '../../host/host-facts.js';
import { checkRange, type HostConfigCheck } from '../../validation/host-config-check.js';

/** -1 is no limit. */
const amount = (value: number): number => (value === -1 ? Number.POSITIVE_INFINITY : value);

const shown = (value: number): string => (value === Number.POSITIVE_INFINITY ? 'unlimited' : String(value));

/** Ulimits: known names, soft below hard, and no more than this host lets the engine set. */
export const checkUlimits: HostConfigCheck = (wish, { host }) => {
  for (const { Name: name = '', Soft = 0, Hard = Soft } of wish.Ulimits ?? []) {
    if (!ulimitNames.includes(name)) throw invalidArgument(`Ulimits: invalid ulimit type: ${name}`);
    checkRange(`Ulimits: soft limit of ${name}`, Soft, -1, Number.MAX_SAFE_INTEGER);
    checkRange(`Ulimits: hard limit of ${name}`, Hard, -1, Number.MAX_SAFE_INTEGER);
    const [soft, hard] = [amount(Soft), amount(Hard)];
    if (soft > hard) {
      throw invalidArgument(
        `Ulimits: ${name}: ulimit soft limit must be less than or equal to hard limit: ${shown(soft)} > ${shown(hard)}`,
      );
    }
    const largest = host.ulimits.get(name) ?? Number.POSITIVE_INFINITY;
    if (hard > largest) {
      throw invalidArgument(
        `Ulimits: ${name}: hard limit ${shown(hard)} is above ${largest}, the most this host allows`,
      );
    }
  }
  return wish;
};
