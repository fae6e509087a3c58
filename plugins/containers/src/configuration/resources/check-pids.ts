import { checkRange, type HostConfigCheck, without } from '../../validation/host-config-check.js';

/** PidsLimit; -1 and 0 are no limit. */
export const checkPids: HostConfigCheck = (wish, { host, warn }) => {
  const { PidsLimit: limit = 0 } = wish;
  checkRange('PidsLimit', limit, -1, Number.MAX_SAFE_INTEGER);
  if (limit <= 0) return without(wish, 'PidsLimit');
  if (host.limits.pids) return wish;
  warn('Your kernel does not support PIDs limit capabilities or the cgroup is not mounted. PIDs limit discarded.');
  return without(wish, 'PidsLimit');
};
