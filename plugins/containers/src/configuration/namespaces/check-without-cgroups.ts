import { invalidArgument } from '@gantry/core/errors';
import { type HostConfigCheck, without } from '../../validation/host-config-check.js';

/** What needs cgroups, on a host where the user that the daemon runs as has none. Limits are checked one by one. */
export const checkWithoutCgroups: HostConfigCheck = (wish, { host, warn }) => {
  if (host.hasCgroups) return wish;
  const { DeviceCgroupRules: rules = [], PidMode: mode = '' } = wish;
  // The processes of a container are found again by its PID namespace.
  if (mode !== '') {
    throw invalidArgument(`PidMode: "${mode}" cannot be used: the engine has no cgroups on this host`);
  }
  if (rules.length === 0) return wish;
  warn('Device cgroup rules need cgroups, which the engine does not have on this host. Rules discarded.');
  return without(wish, 'DeviceCgroupRules');
};
