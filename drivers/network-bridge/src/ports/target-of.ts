import type { JoinRequest, PublishedPort } from '@gantry/core/contracts';
import { familyOf, withoutPrefix } from '@gantry/lib-network';
import type { Target } from './held-port.js';

/** The target of a published port: the container's address of the same family, else of the other. */
export function targetOf({ hostIp, containerPort }: PublishedPort, { ipv4, ipv6 }: JoinRequest): Target | undefined {
  const address = familyOf(hostIp) === 'ipv4' ? (ipv4 ?? ipv6) : (ipv6 ?? ipv4);
  return address === undefined ? undefined : { address: withoutPrefix(address), port: containerPort };
}
