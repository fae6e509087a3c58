import type { JoinRequest } from '@gantry/core/contracts';

/** A container's place on one network, as it counts for the default routes. */
export interface RouteCandidate {
  readonly networkName: string;
  readonly priority: number;
  /** The families for which the network has a gateway. */
  readonly ipv4: boolean;
  readonly ipv6: boolean;
}

/**
 * Which of a container's default routes each of its endpoints carries, in the order of the candidates. Each family's goes
 * to the highest priority; among equals, networks with both families come first, then the order of the names decides.
 */
export function defaultRoutes(candidates: readonly RouteCandidate[]): readonly JoinRequest['defaultRoute'][] {
  const ranked = [...candidates].sort(compare);
  const ipv4 = ranked.find((candidate) => candidate.ipv4);
  const ipv6 = ranked.find((candidate) => candidate.ipv6);
  return candidates.map((candidate) => {
    const [hasIpv4, hasIpv6] = [candidate === ipv4, candidate === ipv6];
    if (hasIpv4 && !hasIpv6 && candidate.ipv6) return 'ipv4';
    if (hasIpv6 && !hasIpv4 && candidate.ipv4) return 'ipv6';
    return hasIpv4 || hasIpv6;
  });
}

const compare = (one: RouteCandidate, other: RouteCandidate): number =>
  other.priority - one.priority ||
  Number(other.ipv4 && other.ipv6) - Number(one.ipv4 && one.ipv6) ||
  (one.networkName < other.networkName ? -1 : Number(one.networkName > other.networkName));
