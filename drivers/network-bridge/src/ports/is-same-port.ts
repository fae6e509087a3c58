import type { PublishedPort } from '@gantry/core/contracts';

/** Whether two published ports are the same port of the host. */
export const isSamePort = (one: PublishedPort, other: PublishedPort): boolean =>
  one.protocol === other.protocol && one.hostIp === other.hostIp && one.hostPort === other.hostPort;
