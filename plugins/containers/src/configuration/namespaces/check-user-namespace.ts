import { invalidArgument } from '@gantry/core/errors';
import type { HostConfigCheck } from '../../validation/host-config-check.js';

/** Root of a remapped container has no rights over the host's own namespaces and devices. */
export const checkUserNamespace: HostConfigCheck = (wish, { host }) => {
  if (!host.remapsIds || wish.UsernsMode === 'host') return wish;
  if (wish.Privileged === true) {
    throw invalidArgument(
      'privileged mode is incompatible with user namespaces.  You must run the container in the host namespace when running privileged mode',
    );
  }
  if (wish.NetworkMode === 'host') {
    throw invalidArgument("cannot share the host's network namespace when user namespaces are enabled");
  }
  if (wish.PidMode === 'host') {
    throw invalidArgument('cannot share the host PID namespace when user namespaces are enabled');
  }
  if (wish.IpcMode === 'host') {
    throw invalidArgument('cannot share the host IPC namespace when user namespaces are enabled');
  }
  return wish;
};
