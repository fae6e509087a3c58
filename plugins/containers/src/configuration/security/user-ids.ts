import { checkRange, type HostConfigCheck } from '../../validation/host-config-check.js';

/** As the peers limit it: larger ones are negative where programs keep ids in signed integers. */
const largest = 2 ** 31 - 1;

/** Numbers of users and groups; names are looked up in the container when it starts. */
export function checkUserIds(field: string, text: string): void {
  for (const part of text.split(':')) if (/^[+-]?\d+$/.test(part)) checkRange(field, Number(part), 0, largest);
}

/** GroupAdd. */
export const checkGroupAdd: HostConfigCheck = (wish) => {
  for (const group of wish.GroupAdd ?? []) checkUserIds('GroupAdd', group);
  return wish;
};
