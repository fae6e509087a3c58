import { invalidArgument } from '@gantry/core/errors';
import type { HostConfigCheck } from '../../validation/host-config-check.js';

/** Parameters of the IPC namespace; so is everything below fs.mqueue. */
const ipcNames = new Set([
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
  'kernel.sem',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
]);

/** Sysctls: only those that a namespace of the container's own keeps from the host. */
export const checkSysctls: HostConfigCheck = (wish) => {
  for (const given of Object.keys(wish.Sysctls ?? {})) checkSysctl(given, wish);
  return wish;
};

type Modes = Parameters<HostConfigCheck>[0];

function checkSysctl(given: string, { NetworkMode, IpcMode, UTSMode }: Modes): void {
  const name = given.replaceAll('/', '.');
  if (/^net\.[^.]/.test(name) && isPlain(name)) {
    if (NetworkMode === 'host')
      throw invalidArgument(`sysctl "${given}" is not allowed in the host's network namespace`);
  } else if (ipcNames.has(name) || (/^fs\.mqueue\.[^.]/.test(name) && isPlain(name))) {
    if (IpcMode === 'host') throw invalidArgument(`sysctl "${given}" is not allowed in the host's IPC namespace`);
  } else if (name === 'kernel.domainname') {
    if (UTSMode === 'host') throw invalidArgument(`sysctl "${given}" is not allowed in the host's UTS namespace`);
  } else {
    throw invalidArgument(`sysctl "${given}" is not allowed: it is not in a separate kernel namespace`);
  }
}

/** Nothing that leads out of the directory of parameters. */
const isPlain = (name: string): boolean => !name.includes('..') && /^[A-Za-z0-9_.:@-]+$/.test(name);
