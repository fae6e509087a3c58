import { checkRange, type HostConfigCheck } from '../../validation/host-config-check.js';

/** The kernel keeps the one above for no user at all. */
const largest = 2 ** 32 - 2;

/** Numbers of users and groups; names are looked up in the container when it starts. */
export function checkUserIds(field: string, text: string): void {
  for (const part of text.split(':')) if (/^[+-]?\d+$/.test(part)) checkRange(field, Number(part), 0, largest);
}

/** GroupAdd. */
export const checkGroupAdd: HostConfigCheck = (wish) => {
  for (const group of wish.GroupAdd ?? []) checkUserIds('GroupAdd', group);
  return wish;
};
