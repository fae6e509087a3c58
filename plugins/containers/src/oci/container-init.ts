import type { OciMount } from '@gantry/core/contracts';
import type { HostConfig } from '../schema.js';

/** Where the reference engine has its init program, which scripts look for in lists of processes. */
export const initDestination = '/sbin/docker-init';

/** Whether process 1 is an init program that forwards signals and reaps processes. */
export const hasInit = ({ Init, PidMode }: HostConfig): boolean => Init === true && !PidMode;

export const initMount = (initPath: string): OciMount => ({
  destination: initDestination,
  type: 'bind',
  source: initPath,
  options: ['rbind', 'ro', 'rprivate'],
});
