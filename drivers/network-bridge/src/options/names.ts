import { createHash } from 'node:crypto';
import { macOf } from '@gantry/lib-network';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `br-` and the first digits of a network's id. */
export const bridgeNameOf = (networkId: string): string =>
  `br-${/^[0-9a-f]{12}/.test(networkId) ? networkId.slice(0, 12) : digest(networkId).toString('hex').slice(0, 12)}`;

/** The host's end of an endpoint. Each `attempt` yields another name, in case of collisions. */
export const vethNameOf = (endpointId: string, attempt = 0): string =>
  `veth${digest(attempt === 0 ? endpointId : `${endpointId} ${attempt}`)
    .toString('hex')
    .slice(0, 7)}`;

/** The chain with the rules of one network. */
export const chainNameOf = (networkId: string): string => `home_${digest(networkId).toString('hex').slice(0, 16)}`;

/** Fixed, so that it does not change with the ports of the bridge or at a restart. */
export const bridgeMacOf = (networkId: string): string => macOf(digest(networkId).subarray(0, 4));
